import { Equals } from 'class-validator';
import { IsFlag, IsOneOf, IsText, IsUuidText, MayBeLeftOut, Optional } from '../../http/validation';
import { MaybeReasonBody } from '../reasons.dto';

const BANK_CODE = { form: /^\d{3}$/, message: 'must be three digits' };
const COLOR = { form: /^#[0-9A-Fa-f]{6}$/, message: 'must be a colour such as #EC7000' };
const CODE = { max: 40 };

/** A writing call, which may say why. */
export class Reasoned extends MaybeReasonBody {}

/** A change: what is left out keeps its value, `null` clears it where it can be cleared. */
export class ChangeBody extends Reasoned {
  /** `false` revives what was deleted. */
  @MayBeLeftOut()
  @IsFlag()
  @Equals(false, { message: 'can only be false; DELETE deletes' })
  deleted?: boolean;
}

/** The fields of a body that are given, without what says why and whether. */
export function givenFields(body: Reasoned): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== undefined && name !== 'reason' && name !== 'deleted',
    ),
  );
}

export class NewBankBody extends Reasoned {
  /** Three digits (COMPE). */
  @IsText({ pattern: BANK_CODE })
  code!: string;

  @IsText()
  name!: string;

  @Optional()
  @IsText({ pattern: COLOR })
  color?: string | null;
}

export class BankChangeBody extends ChangeBody {
  @MayBeLeftOut()
  @IsText({ pattern: BANK_CODE })
  code?: string;

  @MayBeLeftOut()
  @IsText()
  name?: string;

  @Optional()
  @IsText({ pattern: COLOR })
  color?: string | null;
}

export class NewCategoryGroupBody extends Reasoned {
  @IsText(CODE)
  referenceCode!: string;

  @IsText()
  name!: string;
}

export class CategoryGroupChangeBody extends ChangeBody {
  @MayBeLeftOut()
  @IsText(CODE)
  referenceCode?: string;

  @MayBeLeftOut()
  @IsText()
  name?: string;
}

/** A category has what its group has, and more. */
export class NewCategoryBody extends NewCategoryGroupBody {
  @IsOneOf(['in', 'out'])
  type!: 'in' | 'out';

  @IsUuidText()
  groupId!: string;
}

export class CategoryChangeBody extends CategoryGroupChangeBody {
  @MayBeLeftOut()
  @IsOneOf(['in', 'out'])
  type?: 'in' | 'out';

  @MayBeLeftOut()
  @IsUuidText()
  groupId?: string;
}

export class NewCostCenterBody extends Reasoned {
  @IsText()
  description!: string;

  @Optional()
  @IsText(CODE)
  externalCode?: string | null;
}

export class CostCenterChangeBody extends ChangeBody {
  @MayBeLeftOut()
  @IsText()
  description?: string;

  @Optional()
  @IsText(CODE)
  externalCode?: string | null;
}
