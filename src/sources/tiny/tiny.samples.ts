import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number } = SAMPLE_ORDER;
const ID = String(900_001_777);
const DAY = '20/11/2026';

const ORDER = {
  ...{ id: ID, numero: String(number), numero_ecommerce: '', data_pedido: DAY, situacao: 'Em aberto' },
  cliente: { codigo: '', nome: name, tipo_pessoa: 'F', cpf_cnpj: document, email },
  itens: [
    { item: { codigo: 'IPE-1', descricao: 'Cadeira Ipê', quantidade: '1.0000', valor_unitario: total } },
  ],
  forma_pagamento: 'boleto',
  parcelas: [{ parcela: { dias: '30', data: '20/12/2026', valor: total, forma_pagamento: 'boleto' } }],
  ...{ valor_frete: '0.00', valor_desconto: '0.00', total_produtos: total, total_pedido: total },
};

export const TINY_SAMPLES: readonly Sample[] = [
  {
    name: 'order-created',
    topic: 'inclusao_pedido',
    body: jsonBytes({
      ...{ versao: '1.0.1', cnpj: '11222333000181', tipo: 'inclusao_pedido' },
      dados: {
        ...{ id: ID, numero: String(number), data: DAY, idPedidoEcommerce: '', codigoSituacao: 'aberto' },
        ...{ descricaoSituacao: 'Em aberto', idContato: '800001777', idNotaFiscal: '0', nomeEcommerce: '' },
        cliente: { nome: name, cpfCnpj: document },
      },
    }),
    fetched: [answered('order', { retorno: { status_processamento: '3', status: 'OK', pedido: ORDER } })],
  },
];
