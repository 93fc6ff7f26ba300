/** Gateways that move no money, as shops and their plugins spell them, in lower case without punctuation. */
const STORE_CREDIT = new Set([
  'giftcard',
  'giftcards',
  'storecredit',
  'shopifystorecredit',
  'valepresente',
  'cashback',
  'points',
  'loyaltypoints',
]);

/** Whether what came or went through this gateway is a gift card, store credit or points: no account has it. */
export function isStoreCredit(gateway: string | undefined): boolean {
  return gateway !== undefined && STORE_CREDIT.has(gateway.toLowerCase().replace(/[^a-z]/g, ''));
}

/** The fields of a payment or refund that say so; none where it is money. */
export function storeCreditOf(gateway: string | undefined): { storeCredit?: true } {
  return isStoreCredit(gateway) ? { storeCredit: true } : {};
}
