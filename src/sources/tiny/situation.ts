/** Longest name of a situation that is read, in UTF-16 units. */
const LONGEST = 60;
/** What Tiny calls the situations of an order, and the codes by which its API names some of them. */
const KNOWN = [
  ...['Dados incompletos', 'Em aberto', 'Aprovado', 'Preparando envio', 'Faturado', 'Pronto para envio'],
  ...['Enviado', 'Entregue', 'Não entregue', 'Cancelado', 'aberto', 'pronto_envio'],
].map(plain);

/** One spelling for `Não entregue` and `nao_entregue`; empty for what is no situation. */
export function plain(situation: string): string {
  if (situation.length > LONGEST) return '';
  return situation
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/** Whether Tiny has a situation of this name. */
export function isKnown(situation: string): boolean {
  return KNOWN.includes(plain(situation));
}

export function isCancelled(situation: string): boolean {
  return plain(situation) === 'cancelado';
}

/** Whether somebody is still writing the order. */
export function isDraft(situation: string): boolean {
  return plain(situation) === 'dadosincompletos';
}
