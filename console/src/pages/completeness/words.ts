import type { ASPECTS, APART, DIFFERENCE_CODES } from '../../../../src/admin/completeness/differences';
import type { ComparedKind } from '../../../../src/events/money-facts';
import type { Language } from '../../preferences';

type Word<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>;
type Code = (typeof DIFFERENCE_CODES)[number];

/** What a difference is, and what is done about it, as sentences. */
export const CODES: Readonly<Record<Language, Readonly<Record<Code, readonly [is: string, toDo: string]>>>> =
  {
    en: {
      waiting: ['A webhook came in and is not worked on yet.', 'Nothing: it goes on by itself.'],
      'waits-for-record': [
        'A webhook waits for a record that another one makes.',
        'Nothing: it goes on by itself.',
      ],
      'dead-letter': [
        'A webhook could not be worked on.',
        'Correct the reason, then have it worked on again, by itself or with the repair.',
      ],
      missing: [
        'A rule planned it, and it is not in the books.',
        'Have the webhook worked on again, by itself or with the repair.',
      ],
      'approval-pending': ['Somebody has to approve it.', 'Approve or decline it.'],
      'outcome-unknown': [
        'A call to the finance service may have taken effect or not.',
        'Ponte looks it up; where it cannot find out, decide.',
      ],
      'amount-differs': [
        'The shop says another amount now than was booked.',
        'Where the shop is right, correct the books by hand.',
      ],
      extra: [
        'The books have more than the shop says, or a test order.',
        'Take it back in the finance system by hand.',
      ],
      'removed-in-books': [
        'It was booked, and was deleted or taken back in the books since.',
        'Where that was wrong, enter it again by hand.',
      ],
      'changed-in-books': [
        'It was booked, and its amount was changed in the books since.',
        'Where that was wrong, correct it by hand.',
      ],
      'left-over': ['More was paid than was open.', 'Find out what the rest was for, and enter it by hand.'],
    },
    'pt-BR': {
      waiting: ['Um webhook chegou e ainda não foi processado.', 'Nada: segue sozinho.'],
      'waits-for-record': ['Um webhook espera um registro que outro cria.', 'Nada: segue sozinho.'],
      'dead-letter': [
        'Um webhook não pôde ser processado.',
        'Corrija o motivo e mande processar de novo, só este ou pelo reparo.',
      ],
      missing: [
        'Uma regra o planejou e ele não está nos livros.',
        'Mande processar o webhook de novo, só este ou pelo reparo.',
      ],
      'approval-pending': ['Alguém precisa aprovar.', 'Aprove ou recuse.'],
      'outcome-unknown': [
        'Uma chamada ao serviço financeiro pode ter tido efeito ou não.',
        'O Ponte verifica; onde não consegue saber, decida.',
      ],
      'amount-differs': [
        'A loja diz agora um valor diferente do lançado.',
        'Se a loja tem razão, corrija os livros manualmente.',
      ],
      extra: [
        'Os livros têm mais do que a loja diz, ou um pedido de teste.',
        'Estorne manualmente no sistema financeiro.',
      ],
      'removed-in-books': [
        'Foi lançado e depois excluído ou estornado nos livros.',
        'Se isso foi um erro, lance de novo manualmente.',
      ],
      'changed-in-books': [
        'Foi lançado e depois o valor foi alterado nos livros.',
        'Se isso foi um erro, corrija manualmente.',
      ],
      'left-over': [
        'Foi pago mais do que estava em aberto.',
        'Descubra a que se refere o restante e lance-o manualmente.',
      ],
    },
  };

export const ASPECT_NAMES: Word<(typeof ASPECTS)[number]> = {
  en: {
    schedule: 'Orders (receivables)',
    receipt: 'Payments of money (receipts)',
    refund: 'Refunds',
    fee: 'Fees',
    payout: 'Payouts',
    chargeback: 'Chargebacks',
    'chargeback-won': 'Chargebacks won',
    bill: 'Bills',
    other: 'Booked besides, of which the shop says nothing',
  },
  'pt-BR': {
    schedule: 'Pedidos (recebíveis)',
    receipt: 'Pagamentos em dinheiro (recebimentos)',
    refund: 'Reembolsos',
    fee: 'Tarifas',
    payout: 'Repasses',
    chargeback: 'Chargebacks',
    'chargeback-won': 'Chargebacks revertidos',
    bill: 'Contas pagas',
    other: 'Outros lançamentos, dos quais a loja nada diz',
  },
};

export const APART_NAMES: Word<(typeof APART)[number]> = {
  en: {
    'not-booked': 'No rule books it, such as an order that is not paid',
    'given-up': 'Somebody gave it up',
    declined: 'Somebody declined it',
    discarded: 'Somebody gave its webhook up',
  },
  'pt-BR': {
    'not-booked': 'Nenhuma regra o lança, como um pedido que não foi pago',
    'given-up': 'Alguém desistiu dele',
    declined: 'Alguém o recusou',
    discarded: 'Alguém descartou o webhook',
  },
};

export const KIND_NAMES: Word<ComparedKind> = {
  en: { order: 'Order', payout: 'Payout', dispute: 'Chargeback', bill: 'Bill' },
  'pt-BR': { order: 'Pedido', payout: 'Repasse', dispute: 'Chargeback', bill: 'Conta' },
};

export const ARRIVAL_NAMES: Word<'webhook' | 'import' | 'comparison'> = {
  en: { webhook: 'by webhook', import: 'imported', comparison: "found in the shop's list" },
  'pt-BR': { webhook: 'por webhook', import: 'importados', comparison: 'achados na lista da loja' },
};
