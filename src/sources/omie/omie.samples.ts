import { jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { number, name, document, email, total } = SAMPLE_ORDER;
const ORDER_ID = 5_820_013_469;
const CUSTOMER_ID = 5_820_013_471;
const value = Number(total);

const ORDER = {
  cabecalho: {
    codigo_pedido: ORDER_ID,
    numero_pedido: String(number),
    codigo_cliente: CUSTOMER_ID,
    etapa: '10',
  },
  det: [
    {
      produto: { codigo: 'PRD0001', descricao: 'Banco de jacarandá', quantidade: 1, valor_mercadoria: value },
    },
  ],
  lista_parcelas: {
    parcela: [{ numero_parcela: 1, data_vencimento: '20/12/2026', valor: value, meio_pagamento: '15' }],
  },
  total_pedido: { valor_total_pedido: value, valor_descontos: 0 },
  infoCadastro: { dInc: '20/11/2026', hInc: '10:00:00', cancelado: 'N' },
};

const CUSTOMER = {
  codigo_cliente_omie: CUSTOMER_ID,
  razao_social: name,
  cnpj_cpf: document,
  email,
  tags: [{ tag: 'Cliente' }],
};

export const OMIE_SAMPLES: readonly Sample[] = [
  {
    name: 'order-entered',
    topic: 'VendaProduto.Incluida',
    body: jsonBytes({
      messageId: 'sample-1777',
      topic: 'VendaProduto.Incluida',
      event: { idPedido: ORDER_ID, numeroPedido: String(number), etapa: '10', idCliente: CUSTOMER_ID },
      author: { name: 'Ponte', email: 'ponte@example.com', userId: 1 },
      appKey: '1000000000001',
      appHash: 'ponte-sample',
      origin: 'omie-connect-2.0',
    }),
    fetched: [
      { name: `order-${ORDER_ID}`, status: 200, body: jsonBytes({ pedido_venda_produto: ORDER }) },
      { name: `person-${CUSTOMER_ID}`, status: 200, body: jsonBytes(CUSTOMER) },
    ],
  },
];
