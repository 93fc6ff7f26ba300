import { Equals } from 'class-validator';
import { CustomerShape, StakeholderFieldsShape } from '../../finance/api/shapes/customers.dto';
import { IsFlag, IsText, MayBeLeftOut, Optional } from '../../http/validation';

export class NewSupplierBody extends CustomerShape {
  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}

/** What is left out keeps its value; an object that is given replaces the stored one as a whole. */
export class SupplierChangeBody extends StakeholderFieldsShape {
  @MayBeLeftOut()
  @IsText()
  name?: string;

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;

  /** `false` revives what was deleted. */
  @MayBeLeftOut()
  @IsFlag()
  @Equals(false, { message: 'can only be false; DELETE deletes' })
  deleted?: boolean;
}
