/** Attributes of deliveries that intake sets itself, beside those of their provider. Each has the value `yes`. */

/** No signature covers the body. */
export const BODY_UNSIGNED = 'ponte.bodyUnsigned';
/** Another with the same dedupe key is the same delivery until what it names is being fetched. */
export const UNTIL_FETCHED = 'ponte.untilFetched';
