/** What a message is about. */
export type Kind = 'order' | 'receivable' | 'bill' | 'customer';

const ORDER = 'VendaProduto';
const RECEIVABLE = 'Financas.ContaReceber';
const BILL = 'Financas.ContaPagar';
const PERSON = 'ClienteFornecedor';

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...['Incluida', 'Alterada', 'EtapaAlterada', 'Faturada', 'Cancelada', 'Devolvida'].map(
    (what) => [`${ORDER}.${what}`, 'order'] as const,
  ),
  ...['Incluido', 'Alterado', 'BoletoGerado', 'BaixaRealizada', 'BaixaCancelada'].map(
    (what) => [`${RECEIVABLE}.${what}`, 'receivable'] as const,
  ),
  ...['BaixaRealizada', 'BaixaCancelada'].map((what) => [`${BILL}.${what}`, 'bill'] as const),
  ...['Incluido', 'Alterado'].map((what) => [`${PERSON}.${what}`, 'customer'] as const),
]);
const REMOVED =
  'was removed from Omie, which does not show it any more: put right by hand what was booked of it';
/** Topics of which nothing is fetched, with the reason. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  [`${ORDER}.Excluida`, `a sales order ${REMOVED}`],
  [`${RECEIVABLE}.Excluido`, `a receivable ${REMOVED}`],
  [`${BILL}.Excluido`, `a bill ${REMOVED}`],
  [`${BILL}.Incluido`, 'a bill was entered: it is booked when it is paid'],
  [`${BILL}.Alterado`, 'a bill was changed: it is booked when it is paid'],
]);

/** What a topic is about; undefined where Ponte reads none of it. */
export function kindOf(topic: string): Kind | undefined {
  return KINDS.get(topic);
}

/** Topics whose deliveries have the newest state of what they are about, and not only that something was undone. */
export function topicsWithStateOf(kind: Kind): string[] {
  return [...KINDS].flatMap(([topic, its]) => (its === kind && !saysUndone(topic) ? topic : []));
}

/** Why a topic of no {@link kindOf} means nothing. */
export function reasonOf(topic: string): string {
  return MEANINGLESS.get(topic) ?? `topic ${topic} is none that Ponte reads`;
}

/** Whether a topic says that something was entered for the first time. */
export function saysCreated(topic: string): boolean {
  return topic === `${ORDER}.Incluida` || topic === `${RECEIVABLE}.Incluido`;
}

/** Whether a topic says that money moved. */
export function saysMoved(topic: string): boolean {
  return topic.endsWith('.BaixaRealizada');
}

/** Whether a topic says that a sales order was cancelled. */
export function saysCancelled(topic: string): boolean {
  return topic === `${ORDER}.Cancelada`;
}

/** Whether a topic says that money which was entered did not move after all. */
export function saysUndone(topic: string): boolean {
  return topic.endsWith('.BaixaCancelada');
}
