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

/** The field of a payment or refund that says that no account has it, by its gateway; none where it is money. */
export function storeCreditOf(gateway: string | undefined): { storeCredit?: true } {
  const isStoreCredit =
    gateway !== undefined && STORE_CREDIT.has(gateway.toLowerCase().replace(/[^a-z]/g, ''));
  return isStoreCredit ? { storeCredit: true } : {};
}
