/** What a notification is about. */
export type Kind = 'order' | 'charge' | 'chargeback' | 'other';

/** @param hasCharges whether the body has the members of an order */
export function kindOf(id: string, hasCharges: boolean): Kind {
  if (id.startsWith('CBKS_')) return 'chargeback';
  if (id.startsWith('CHEC_')) return 'other';
  if (id.startsWith('ORDE_') || hasCharges) return 'order';
  return id.startsWith('CHAR_') ? 'charge' : 'other';
}
