import type { ProblemCode } from '../../src/kernel/problem';
import type { Language } from './preferences';

/** Titles of the API's problems; the API itself speaks English. */
const TITLES: Readonly<Record<ProblemCode, string>> = {
  'malformed-request': 'Não foi possível ler o pedido',
  'key-missing': 'É preciso uma chave da API',
  'key-invalid': 'A chave da API não é válida',
  'signature-invalid': 'A assinatura não confere',
  'organization-mismatch': 'A chave é de outra organização',
  'scope-missing': 'A chave não permite isto',
  'cross-site': 'O pedido pode ter vindo de outro site',
  'not-found': 'Este registro não existe',
  'no-open-schedule': 'Nenhum recebível está em aberto',
  'method-not-allowed': 'O método não é permitido aqui',
  'not-acceptable': 'Nenhum dos formatos aceitos pode ser servido',
  'body-too-slow': 'O corpo do pedido chegou devagar demais',
  conflict: 'O pedido está em conflito com o que já existe',
  'idempotency-key-in-use': 'Um pedido com esta Idempotency-Key está em andamento',
  'entry-reconciliated': 'O lançamento está conciliado e permanece',
  'customer-exists': 'Já existe um cliente com este documento',
  'finance-not-connected': 'O sistema financeiro não está conectado',
  'cursor-unknown': 'O cursor não corresponde a nenhuma mudança deste feed',
  'cursor-expired': 'As mudanças depois do cursor não são mais guardadas',
  'body-purged': 'O conteúdo do webhook não é mais guardado',
  'body-too-large': 'O corpo do pedido é grande demais',
  'media-type-unsupported': 'O tipo do corpo do pedido não é aceito',
  'validation-failed': 'Alguns campos não são aceitos',
  'exceeds-open-value': 'O valor é maior do que o que está em aberto',
  'instalments-mismatch': 'A soma das parcelas não é igual ao valor',
  'before-opening-date': 'A data é anterior ao saldo inicial da conta',
  'idempotency-key-reused': 'A Idempotency-Key é de outro pedido',
  'too-many-requests': 'Pedidos demais',
  'internal-error': 'Algo quebrou dentro do Ponte',
  'not-implemented': 'O sistema financeiro não oferece isto',
  'finance-misbehaved': 'O sistema financeiro deu uma resposta que não pode ser usada',
  saturated: 'O Ponte está sobrecarregado; tente de novo em instantes',
  unavailable: 'O Ponte não alcança o banco de dados; tente de novo em instantes',
  'finance-unreachable': 'O sistema financeiro não pode ser alcançado; tente de novo em instantes',
  'source-paused': 'A origem está pausada; tente mais tarde',
  'shutting-down': 'O Ponte está sendo encerrado; tente de novo em instantes',
  'outcome-unknown': 'Ainda não se sabe se o pedido teve efeito',
};

const TYPE = /^urn:ponte:problem:(.+)$/;

/** @param problem as the API answered it; a new one keeps its own title */
export function problemTitle(problem: { type?: string; title: string }, language: Language): string {
  if (language === 'en') return problem.title;
  const titles: Readonly<Partial<Record<string, string>>> = TITLES;
  return titles[TYPE.exec(problem.type ?? '')?.[1] ?? ''] ?? problem.title;
}
