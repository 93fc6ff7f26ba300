import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, id } = SAMPLE_ORDER;
const VALUE = Number(total);
const DAY = '2026-11-20';
const CONTACT = { id: 1_600_000_001, nome: name, tipo: 'F', numeroDocumento: document };
const SITUATION = { id: 6, valor: 0 };

const ORDER = {
  ...{ id, numero: number, numeroLoja: '', data: DAY, total: VALUE, totalProdutos: VALUE },
  contato: { id: CONTACT.id, nome: name, tipoPessoa: 'F', numeroDocumento: document },
  situacao: SITUATION,
  loja: { id: 0 },
  desconto: { valor: 0, unidade: 'REAL' },
  itens: [{ id: 1, codigo: 'IPE-1', descricao: 'Cadeira Ipê', quantidade: 1, valor: VALUE }],
  parcelas: [
    { id: 1, dataVencimento: '2026-12-20', valor: VALUE, formaPagamento: { id: 3_100_001 }, observacoes: '' },
  ],
};

export const BLING_SAMPLES: readonly Sample[] = [
  {
    name: 'order-created',
    topic: 'order.created',
    body: jsonBytes({
      eventId: '01954a00-0000-7000-8000-000000001777',
      ...{ date: `${DAY}T12:14:05Z`, version: 'v1', event: 'order.created' },
      companyId: 'd0000000000000000000000000001777',
      data: { id, data: DAY, numero: number, total: VALUE, contato: { id: CONTACT.id }, situacao: SITUATION },
    }),
    fetched: [answered('order', { data: ORDER }), answered('contact', { data: { ...CONTACT, email } })],
  },
];
