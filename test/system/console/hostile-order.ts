import { SAMPLE_ORDER } from '../../../src/sources/samples';
import { cpfNumber } from '../../support/documents';
import { STANDARD_WEBHOOKS_SAMPLES } from '../../../src/sources/standard-webhooks/standard-webhooks.samples';

/** What would run, were it taken for HTML. */
export const HOSTILE = '<img src=x onerror=alert(1)>';
/** Of a customer whom nobody else's order is for. */
const HOSTILE_DOCUMENT = cpfNumber(990_017);
const WHOLE = `'">${HOSTILE}<script>alert(2)</script>`;

/** Members in which a shop has no text of its own, so that the order is still understood. */
const KEPT =
  /^(?:type|timestamp|currency|document|email|country|state|zipCode|.*At|total|value|price|quantity|status|method|gateway)$/;

/**
 * A paid order with {@link WHOLE} in every text that a shop or its customers can write.
 * @param withIds also where a shop has identifiers: such an order cannot be read, and is for a person
 */
export function hostileOrder(withIds: boolean): object {
  const sample = STANDARD_WEBHOOKS_SAMPLES.find(({ topic }) => topic === 'order.paid');
  if (!sample) throw new Error('there is no sample of a paid order');
  const text = Buffer.from(sample.body).toString().replace(SAMPLE_ORDER.document, HOSTILE_DOCUMENT);
  return poisoned(JSON.parse(text), withIds) as object;
}

function poisoned(value: unknown, withIds: boolean, member = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poisoned(item, withIds, member));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, poisoned(inner, withIds, name)]),
    );
  return typeof value === 'string' && !KEPT.test(member) && (withIds || member !== 'id')
    ? `${value}${WHOLE}`
    : value;
}
