/** Business keys: the same for every delivery that speaks of the same thing, whatever its topic. */

/** `{source}/order/{id}` */
export function orderKey(source: string, id: string): string {
  return `${source}/order/${id}`;
}

/** `{source}/customer/{id}` */
export function customerKey(source: string, id: string): string {
  return `${source}/customer/${id}`;
}

/** A guest has no id in the shop: the key is made of the order. */
function guestKey(order: string): string {
  return `${order}/guest`;
}

/** The key of who bought: of their account, else of a guest known by the order. @param id undefined: no account */
export function buyerKey(source: string, id: string | undefined, order: string): string {
  return id === undefined ? guestKey(order) : customerKey(source, id);
}

/**
 * The payment that turns an order into a paid one, where the shop has no identifier for it, or deliveries of one order
 * differ in whether they have it: the key is the same for all of these deliveries.
 */
export function fullPaymentKey(order: string): string {
  return `${order}/payment/paid`;
}

/** `{order key}/payment/{id}`: one of several payments. @param id undefined: the order's one payment */
export function paymentKey(order: string, id: string | undefined): string {
  return id === undefined ? fullPaymentKey(order) : `${order}/payment/${id}`;
}

/** `{payment key}/settlement/{number}`: the same whether it is planned or was paid. */
export function settlementKey(payment: string, number: number): string {
  return `${payment}/settlement/${number}`;
}

/** `{source}/settlement/{id}`, of a settlement of nobody knows which order. */
export function looseSettlementKey(source: string, id: string): string {
  return `${source}/settlement/${id}`;
}

/** `{order key}/edit/{id}` */
export function editKey(order: string, id: string): string {
  return `${order}/edit/${id}`;
}

/** `{source}/bill/{id}` */
export function billKey(source: string, id: string): string {
  return `${source}/bill/${id}`;
}

export function refundKey(order: string, id: string): string {
  return `${order}/refund/${id}`;
}

/** Whether a key is a refund's, or made of one: `payment/{refund key}`. */
export function isAboutRefund(key: string): boolean {
  return key.includes('/refund/');
}

/** `{source}/payout/{id}` */
export function payoutKey(source: string, id: string): string {
  return `${source}/payout/${id}`;
}

/** `{source}/fee/{id}` */
export function feeKey(source: string, id: string): string {
  return `${source}/fee/${id}`;
}

/** `{source}/dispute/{id}` */
export function disputeKey(source: string, id: string): string {
  return `${source}/dispute/${id}`;
}
