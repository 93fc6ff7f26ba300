import { Equals } from 'class-validator';
import { IsFlag } from '../../http/validation';
import { ObjectOf, request } from '../fields';
import { MaybeReasonBody } from '../reasons.dto';

const CODE = { max: 40 };
const DIRECTIONS = ['in', 'out'] as const;

const color = request.text({
  pattern: { form: /^#[0-9A-Fa-f]{6}$/, message: 'must be a colour such as #EC7000' },
});
/** Three digits (COMPE). */
const bankCode = request.text({ pattern: { form: /^\d{3}$/, message: 'must be three digits' } });

/** A writing call, which may say why. */
export class Reasoned extends MaybeReasonBody {}

/** `false` revives what was deleted. */
export const revival = request
  .other<boolean>(Equals(false, { message: 'can only be false; DELETE deletes' }), IsFlag())
  .optional();

/** A change: what is left out keeps its value, `null` clears it where it can be cleared. */
export class ChangeBody extends ObjectOf({ deleted: revival }, Reasoned) {}

/** The fields of a body that are given, without what says why and whether. */
export function givenFields(body: Reasoned): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== undefined && name !== 'reason' && name !== 'deleted',
    ),
  );
}

export class NewBankBody extends ObjectOf(
  { code: bankCode, name: request.text(), color: color.nullable() },
  Reasoned,
) {}

export class BankChangeBody extends ObjectOf(
  { code: bankCode.optional(), name: request.text().optional(), color: color.nullable() },
  ChangeBody,
) {}

export class NewCategoryGroupBody extends ObjectOf(
  { referenceCode: request.text(CODE), name: request.text() },
  Reasoned,
) {}

export class CategoryGroupChangeBody extends ObjectOf(
  { referenceCode: request.text(CODE).optional(), name: request.text().optional() },
  ChangeBody,
) {}

/** A category has what its group has, and more. */
export class NewCategoryBody extends ObjectOf(
  { type: request.oneOf(DIRECTIONS), groupId: request.uuid() },
  NewCategoryGroupBody,
) {}

export class CategoryChangeBody extends ObjectOf(
  { type: request.oneOf(DIRECTIONS).optional(), groupId: request.uuid().optional() },
  CategoryGroupChangeBody,
) {}

export class NewCostCenterBody extends ObjectOf(
  { description: request.text(), externalCode: request.text(CODE).nullable() },
  Reasoned,
) {}

export class CostCenterChangeBody extends ObjectOf(
  { description: request.text().optional(), externalCode: request.text(CODE).nullable() },
  ChangeBody,
) {}
