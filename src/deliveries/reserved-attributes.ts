/** Attributes of deliveries that intake sets itself, beside those of their provider. */

/** No signature covers the body. Its value is `yes`. */
export const BODY_UNSIGNED = 'ponte.bodyUnsigned';
/** Another with the same dedupe key is the same delivery until what it names is being fetched. Its value is `yes`. */
export const UNTIL_FETCHED = 'ponte.untilFetched';
/** How it came, where it was no webhook: see {@link DeliveryOrigin}. */
export const ORIGIN = 'ponte.origin';

/** How a delivery came: its provider sent it, an operator imported it, or the provider's list had it. */
export const DELIVERY_ORIGINS = ['webhook', 'import', 'comparison'] as const;
export type DeliveryOrigin = (typeof DELIVERY_ORIGINS)[number];

/** How a delivery with these attributes came. */
export function originOf(attributes: unknown): DeliveryOrigin {
  const { [ORIGIN]: named } = attributes as Readonly<Record<string, string>>;
  return DELIVERY_ORIGINS.find((origin) => origin === named) ?? 'webhook';
}
