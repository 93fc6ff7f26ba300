import type { Wording } from './wording';

const COMPARE = 'Compare o pedido com a loja e corrija os livros manualmente.';
const SWITCHED = 'Veja no status da origem por que os últimos webhooks falharam e corrija a causa.';

export const BRAZILIAN_PORTUGUESE: Wording = {
  codes: {
    'payment-left-over': [
      'Um pagamento foi maior do que estava em aberto; o restante não foi lançado.',
      'Descubra a que se refere o restante e lance-o manualmente.',
    ],
    'amount-differs': ['Um pedido voltou com outro valor; os livros têm o primeiro.', COMPARE],
    'refund-not-booked': [
      'Dinheiro foi devolvido a um cliente e nenhuma regra o lançou.',
      'Lance o reembolso manualmente.',
    ],
    'cancellation-not-booked': [
      'Um pedido pago foi cancelado sem reembolso e nenhuma regra lançou isso.',
      COMPARE,
    ],
    'edit-not-booked': ['Um pedido foi alterado depois de pago e nenhuma regra lançou isso.', COMPARE],
    'settlement-not-booked': [
      'Uma adquirente pagou uma parcela e nenhuma regra a lançou.',
      'Lance o recebimento manualmente.',
    ],
    'payout-not-booked': [
      'Um gateway fez um repasse e nenhuma regra o lançou.',
      'Lance a transferência manualmente.',
    ],
    'payout-differs': [
      'As linhas de um repasse não somam o que chegou ao banco.',
      'Compare o repasse com o extrato do banco.',
    ],
    'dispute-not-booked': [
      'Um comprador contestou um pagamento e nenhuma regra lançou isso.',
      'Lance o chargeback manualmente.',
    ],
    'returned-twice': [
      'Um pedido foi reembolsado e o comprador também contestou o pagamento.',
      'Envie ao gateway o reembolso como prova contra o chargeback.',
    ],
    'fee-not-booked': [
      'Um gateway cobrou uma taxa e nenhuma regra a lançou.',
      'Lance o pagamento manualmente.',
    ],
    'movement-not-booked': ['Um gateway moveu dinheiro e nenhuma regra lançou isso.', 'Lance-o manualmente.'],
    'bill-not-booked': [
      'Uma conta de fornecedor foi paga no ERP e nenhuma regra a lançou.',
      'Lance o pagamento manualmente.',
    ],
    'store-credit-not-booked': [
      'Foram usados vale-presente, crédito da loja ou pontos, que nenhuma conta recebeu ou pagou.',
      'Acerte manualmente o que está em aberto no título a receber.',
    ],
    'order-differs': ['Os números de um pedido não batem.', COMPARE],
    'dated-ahead': [
      'Um valor tem data mais de uma semana no futuro e não entra em nenhum saldo antes desse dia.',
      'Compare o dia com o extrato do banco; se estiver errado, corrija nos livros.',
    ],
    'key-shared': [
      'Duas regras usam a mesma chave para coisas diferentes e só uma foi feita.',
      'Dê outra chave a uma delas.',
    ],
    'customer-differs': [
      'Um evento posterior de um pedido traz outro cliente.',
      'Cadastre o cliente manualmente, se for o certo.',
    ],
    'customer-not-updated': [
      'A loja informa outros dados de um cliente e o serviço financeiro não aceita a alteração.',
      'Faça a alteração no serviço financeiro.',
    ],
    'content-differs': ['Um pedido voltou com outro conteúdo; os livros têm o primeiro.', COMPARE],
    'step-refused': [
      'Um passo de uma regra foi recusado e a regra seguiu sem ele.',
      'Faça manualmente o que ele deveria ter feito, ou corrija a causa e reprocesse a entrega.',
    ],
    'approval-required': ['Uma regra espera uma aprovação.', 'Aprove ou recuse (ponte approvals list).'],
    'deferred-refused': [
      'Uma parte agendada para um dia foi recusada nele.',
      'Corrija a causa e tente de novo, ou desista dela (ponte deferred list).',
    ],
    'notification-failed': [
      'Uma mensagem não pôde ser entregue.',
      'Corrija o endereço ou o destinatário e tente de novo (ponte deferred list).',
    ],
    'source-silent': [
      'Uma origem que costuma enviar está em silêncio.',
      'Veja se a loja tem pedidos que o Ponte não tem e se o webhook dela está ligado.',
    ],
    'source-failing': [
      'A maior parte do que uma origem enviou em uma hora foi recusada pela assinatura.',
      'Cadastre o novo segredo da loja.',
    ],
    'source-near-switch-off': ['Um provedor está prestes a desligar o webhook de uma origem.', SWITCHED],
    'source-switched-off': [
      'Um provedor provavelmente desligou o webhook de uma origem.',
      `${SWITCHED} Depois ligue-o de novo no provedor.`,
    ],
    'webhooks-not-registered': [
      'Um provedor não tem os webhooks de que uma origem precisa.',
      'Registre-os (ponte sources connect).',
    ],
    'privacy-export-asked': [
      'Uma loja pede o que está guardado sobre um cliente.',
      'Faça a cópia e envie-a à loja (ponte privacy export).',
    ],
    'privacy-erase-asked': [
      'Uma loja pede que os dados de um cliente sejam apagados.',
      'Apague os dados do cliente (ponte privacy erase).',
    ],
    'privacy-shop-erase-asked': [
      'Uma loja foi fechada ou removeu o aplicativo, e pede que os dados dela sejam apagados.',
      'Decida os dados de quais clientes devem ser apagados e apague-os um a um (ponte privacy erase).',
    ],
    'privacy-erasure-waits': [
      'A exclusão dos dados de uma pessoa não pode continuar.',
      'Leia o que ela espera e resolva (ponte privacy erasures).',
    ],
    rule: ['Uma regra pede que uma pessoa veja.', 'Leia na lista o que ela diz e faça isso.'],
    'dead-letter': [
      'Uma entrega não pôde ser processada.',
      'Leia o motivo, corrija a causa e tente de novo ou descarte-a.',
    ],
    'books-incomplete': [
      'Os livros diferem do que a loja diz.',
      'Veja as diferenças e mande repará-las ou corrija-as manualmente.',
    ],
  },
  several: (count, isOne) =>
    isOne ? `${count} item precisa de uma pessoa` : `${count} itens precisam de uma pessoa`,
  one: 'Um item precisa de uma pessoa',
  summary: 'Por código',
  items: 'Do mais antigo ao mais novo',
  more: (count) => `e mais ${count}`,
  inNext: 'Há mais do que cabe em uma mensagem: a próxima traz o restante.',
  toDo: 'O que fazer',
  see: 'Ver',
  since: 'desde',
  source: 'origem',
  delivery: 'entrega',
  differences: (count, isOne) => (isOne ? `${count} diferença` : `${count} diferenças`),
  why: (name, organization) =>
    `A assinatura ${name} de ${organization} no Ponte envia esta mensagem. Cada item é avisado uma vez.`,
};
