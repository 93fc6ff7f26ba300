import { IsText, Optional } from '../http/validation';

/** Why an operator does it. */
export class ReasonBody {
  @IsText()
  reason!: string;
}

/** Why an operator does it, if they say so. */
export class MaybeReasonBody {
  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}
