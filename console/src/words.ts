import { BRAZILIAN_PORTUGUESE } from '../../src/notifications/subscriptions/wording-pt-br';
import { ENGLISH } from '../../src/notifications/subscriptions/wording-en';
import type { Saying, Wording } from '../../src/notifications/subscriptions/wording';
import { type Language, usePreferences } from './preferences';

/** The words of e-mails about the same things: people read one wording wherever they meet it. */
const WORDINGS: Readonly<Record<Language, Wording>> = { en: ENGLISH, 'pt-BR': BRAZILIAN_PORTUGUESE };
/** A command that does what a button of the console does. */
const COMMAND = / \(ponte [^)]*\)/g;

/** What an attention code means, and what a person does about it, as sentences. */
export function useSayings(): (code: string) => Saying {
  const { language } = usePreferences();
  return (code) => {
    const codes: Readonly<Partial<Record<string, Saying>>> = WORDINGS[language].codes;
    const [happened, toDo] = codes[code] ?? WORDINGS[language].codes.rule;
    return [happened, toDo.replace(COMMAND, '')];
  };
}

const OPERATIONS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'customer.ensure': { en: 'Customer', 'pt-BR': 'Cliente' },
  'credit-schedule.create': { en: 'Receivable', 'pt-BR': 'Recebível' },
  'credit-schedule.find': { en: 'Find the receivable', 'pt-BR': 'Encontrar o recebível' },
  'receipt.allocate': { en: 'Receipt on receivables', 'pt-BR': 'Recebimento dos recebíveis' },
  'payment.register': { en: 'Payment out of an account', 'pt-BR': 'Pagamento a partir de uma conta' },
  'receipt.register': { en: 'Receipt on an account', 'pt-BR': 'Recebimento em uma conta' },
  'transfer.make': { en: 'Transfer between accounts', 'pt-BR': 'Transferência entre contas' },
  'credit-schedule.write-off': { en: 'Receivable written off', 'pt-BR': 'Baixa do recebível' },
  'account.ensure': { en: 'Account', 'pt-BR': 'Conta' },
  'supplier.find': { en: 'Find the supplier', 'pt-BR': 'Encontrar o fornecedor' },
  'cost-center.update': { en: 'Cost center', 'pt-BR': 'Centro de custo' },
  'payment.delete': { en: 'Payment taken back', 'pt-BR': 'Estorno de um pagamento' },
  'attention.raise': { en: 'Ask a person to check', 'pt-BR': 'Pedir que alguém veja' },
  'http.notify': { en: 'Message to another system', 'pt-BR': 'Mensagem a outro sistema' },
  'email.send': { en: 'E-mail', 'pt-BR': 'E-mail' },
  'customers.create': { en: 'Register a customer', 'pt-BR': 'Cadastrar um cliente' },
  'customers.update': { en: 'Change a customer', 'pt-BR': 'Alterar um cliente' },
  'schedules.createCredit': { en: 'Make a receivable', 'pt-BR': 'Criar um recebível' },
  'payments.register': { en: 'Register a payment', 'pt-BR': 'Lançar um pagamento' },
  'receipts.register': { en: 'Register a receipt', 'pt-BR': 'Lançar um recebimento' },
  'receipts.registerForSchedule': {
    en: 'Register a receipt on a receivable',
    'pt-BR': 'Lançar o recebimento de um recebível',
  },
  'costCenters.update': { en: 'Change a cost center', 'pt-BR': 'Alterar um centro de custo' },
  'accounts.transfer': { en: 'Transfer between accounts', 'pt-BR': 'Transferir entre contas' },
  'payments.remove': { en: 'Take a payment back', 'pt-BR': 'Estornar um pagamento' },
  'accounts.update': { en: 'Change an account', 'pt-BR': 'Alterar uma conta' },
  'accounts.create': { en: 'Open an account', 'pt-BR': 'Abrir uma conta' },
};

/** What an effect or a call to the finance service is, in the words of the books; a new one by its own name. */
export function useOperation(): (operation: string) => string {
  const { language } = usePreferences();
  return (operation) => OPERATIONS[operation]?.[language] ?? operation;
}

const FIELDS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  account: { en: 'Account', 'pt-BR': 'Conta' },
  accountId: { en: 'Account', 'pt-BR': 'Conta' },
  from: { en: 'From account', 'pt-BR': 'Da conta' },
  to: { en: 'To account', 'pt-BR': 'Para a conta' },
  originAccountId: { en: 'From account', 'pt-BR': 'Da conta' },
  destinyAccountId: { en: 'To account', 'pt-BR': 'Para a conta' },
  value: { en: 'Amount', 'pt-BR': 'Valor' },
  date: { en: 'Date', 'pt-BR': 'Data' },
  scheduleDate: { en: 'Date', 'pt-BR': 'Data' },
  dueDate: { en: 'Due', 'pt-BR': 'Vencimento' },
  description: { en: 'Description', 'pt-BR': 'Descrição' },
  reference: { en: 'Reference', 'pt-BR': 'Referência' },
  identifier: { en: 'Identifier', 'pt-BR': 'Identificador' },
  category: { en: 'Category', 'pt-BR': 'Categoria' },
  categoryId: { en: 'Category', 'pt-BR': 'Categoria' },
  costCenter: { en: 'Cost center', 'pt-BR': 'Centro de custo' },
  costCenterId: { en: 'Cost center', 'pt-BR': 'Centro de custo' },
  customer: { en: 'Customer', 'pt-BR': 'Cliente' },
  stakeholder: { en: 'Customer or supplier', 'pt-BR': 'Cliente ou fornecedor' },
  stakeholderId: { en: 'Customer or supplier', 'pt-BR': 'Cliente ou fornecedor' },
  schedules: { en: 'Receivables', 'pt-BR': 'Recebíveis' },
  scheduleId: { en: 'Receivable', 'pt-BR': 'Recebível' },
  paymentId: { en: 'Payment', 'pt-BR': 'Pagamento' },
  instalment: { en: 'Instalment', 'pt-BR': 'Parcela' },
  instalments: { en: 'Instalments', 'pt-BR': 'Parcelas' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  document: { en: 'Document', 'pt-BR': 'Documento' },
};

/** What a member of an effect's input is called. */
export function useFieldName(): (member: string) => string {
  const { language } = usePreferences();
  return (member) => FIELDS[member]?.[language] ?? member;
}

const STATES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  applied: { en: 'done', 'pt-BR': 'feito' },
  existing: { en: 'done before', 'pt-BR': 'já feito antes' },
  done: { en: 'done', 'pt-BR': 'concluído' },
  running: { en: 'under way', 'pt-BR': 'em andamento' },
  refused: { en: 'refused', 'pt-BR': 'recusado' },
  unknown: { en: 'outcome not known', 'pt-BR': 'resultado não conhecido' },
  intended: { en: 'under way', 'pt-BR': 'em andamento' },
  pending: { en: 'waits for an earlier step', 'pt-BR': 'espera um passo anterior' },
  waiting: { en: 'waits for approval', 'pt-BR': 'espera aprovação' },
  deferred: { en: 'on a later day', 'pt-BR': 'em outro dia' },
  skipped: { en: 'left out', 'pt-BR': 'deixado de lado' },
  abandoned: { en: 'given up', 'pt-BR': 'descartado' },
  cancelled: { en: 'given up', 'pt-BR': 'descartado' },
  approved: { en: 'approved', 'pt-BR': 'aprovado' },
  declined: { en: 'declined', 'pt-BR': 'recusado por um operador' },
};

/** How far an effect, a step, a rule or an approval has come; a new state by its own name. */
export function useStateWord(): (state: string) => string {
  const { language } = usePreferences();
  return (state) => STATES[state]?.[language] ?? state;
}
