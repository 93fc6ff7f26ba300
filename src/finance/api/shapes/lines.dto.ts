import type { Money } from '../../../kernel/money';
import { type PlacedRefusal, Refusal } from '../../../http/field';
import { IsMoneyValue, IsNestedList, Optional, Undescribed } from '../../../http/validation';
import { OptionalUuid } from './optional-fields';

/** More lines than this are a mistake, as with instalments. */
const MAX_LINES = 120;

/** What a category has of an amount: the way in which some clients name the category. */
export class CategoryLineShape {
  @OptionalUuid()
  categoryId?: string | null;

  /** Absent: the whole amount. */
  @Optional()
  @IsMoneyValue({ positive: true })
  value?: Money | null;
}

/** What a cost center has of an amount; see {@link CategoryLineShape}. */
export class CostCenterLineShape {
  @OptionalUuid()
  costCenterId?: string | null;

  /** Absent: the whole amount. */
  @Optional()
  @IsMoneyValue({ positive: true })
  value?: Money | null;
}

/** What a body has that may name its category and cost center by lines; see {@link withoutLines}. */
export abstract class LinedShape {
  abstract value?: Money | null;
  abstract categoryId?: string | null;
  abstract costCenterId?: string | null;

  @Undescribed()
  @Optional()
  @IsNestedList(() => CategoryLineShape, { max: MAX_LINES })
  categories?: CategoryLineShape[] | null;

  @Undescribed()
  @Optional()
  @IsNestedList(() => CostCenterLineShape, { max: MAX_LINES })
  costCenters?: CostCenterLineShape[] | null;
}

const SEVERAL =
  'has several lines, which would be several records, and this operation answers with the identifier of one: ' +
  'send one request for each line';

/**
 * Puts what lines say where the interface documents it: `value`, `categoryId`, `costCenterId`. The lines are gone
 * afterwards. What is said twice must agree; several lines are refused.
 */
export function withoutLines(body: LinedShape): PlacedRefusal[] {
  return [
    ...withoutLine(body, 'categories', 'categoryId'),
    ...withoutLine(body, 'costCenters', 'costCenterId'),
  ];
}

function withoutLine(
  body: LinedShape,
  list: 'categories' | 'costCenters',
  field: 'categoryId' | 'costCenterId',
): PlacedRefusal[] {
  const lines = body[list] ?? [];
  delete body[list];
  const [line] = lines;
  if (!line) return [];
  if (lines.length > 1) return [{ path: [list], refusal: new Refusal('several', SEVERAL) }];
  const id = (line as Pick<LinedShape, typeof field>)[field] ?? undefined;
  const refusals: PlacedRefusal[] = [];
  const refuse = (name: string, code: string, message: string): void =>
    void refusals.push({ path: [list, '0', name], refusal: new Refusal(code, message) });
  if (id === undefined) refuse(field, 'required', 'is required');
  else if ((body[field] ??= id) !== id) refuse(field, 'differs', `is not the ${field} of the body`);
  if (line.value && !(body.value ??= line.value).equals(line.value))
    refuse('value', 'differs', 'is not the value of the body');
  return refusals;
}
