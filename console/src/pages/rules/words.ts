import { texts, useTexts } from '../../texts';

const EVENTS = texts(
  {
    'order.created': 'an order is made',
    'order.pending': 'an order waits for its payment',
    'order.expired': 'a charge of an order expires',
    'order.paid': 'an order is paid',
    'order.edited': 'an order is changed',
    'order.cancelled': 'an order is cancelled',
    'order.refunded': 'money of an order goes back',
    'customer.updated': 'a customer changes',
    'payment.settled': 'an acquirer pays an instalment',
    'payout.paid': 'a gateway pays out to the bank',
    'payment.disputed': 'a buyer disputes a payment',
    'fee.charged': 'a gateway keeps a fee',
    'bill.paid': 'a bill is paid',
  },
  {
    'order.created': 'um pedido é feito',
    'order.pending': 'um pedido espera o pagamento',
    'order.expired': 'uma cobrança de um pedido vence sem pagamento',
    'order.paid': 'um pedido é pago',
    'order.edited': 'um pedido é alterado',
    'order.cancelled': 'um pedido é cancelado',
    'order.refunded': 'há estorno de um pedido',
    'customer.updated': 'um cliente muda',
    'payment.settled': 'a adquirente paga uma parcela',
    'payout.paid': 'um gateway faz um repasse ao banco',
    'payment.disputed': 'um comprador contesta um pagamento',
    'fee.charged': 'um gateway cobra uma taxa',
    'bill.paid': 'uma conta é paga',
  },
);

const OPERATIONS = texts(
  {
    'customer.ensure': 'Find the customer, or make one',
    'credit-schedule.create': 'Make a receivable',
    'credit-schedule.find': 'Find the receivable',
    'credit-schedule.write-off': 'Write off what is open of a receivable',
    'receipt.allocate': 'Receive money for a receivable',
    'receipt.register': 'Enter a receipt on an account',
    'payment.register': 'Enter a payment from an account',
    'payment.delete': 'Take a payment back',
    'transfer.make': 'Transfer between accounts',
    'account.ensure': 'Find the account, or open one',
    'supplier.find': 'Find the supplier',
    'cost-center.update': 'Describe a cost center',
    'attention.raise': 'Ask a person to check',
    'http.notify': 'Send a message to another system',
    'email.send': 'Send an e-mail',
  },
  {
    'customer.ensure': 'Encontrar o cliente ou cadastrá-lo',
    'credit-schedule.create': 'Lançar um recebível',
    'credit-schedule.find': 'Encontrar o recebível',
    'credit-schedule.write-off': 'Baixar o que está em aberto de um recebível',
    'receipt.allocate': 'Receber um recebível',
    'receipt.register': 'Lançar um recebimento em uma conta',
    'payment.register': 'Lançar um pagamento de uma conta',
    'payment.delete': 'Desfazer um pagamento',
    'transfer.make': 'Transferir entre contas',
    'account.ensure': 'Encontrar a conta ou abri-la',
    'supplier.find': 'Encontrar o fornecedor',
    'cost-center.update': 'Descrever um centro de custo',
    'attention.raise': 'Pedir que uma pessoa veja',
    'http.notify': 'Enviar uma mensagem a outro sistema',
    'email.send': 'Enviar um e-mail',
  },
);

/** Says when an event happens; an event that is not known says its own name. */
export function useEventWords(): (event: string) => string {
  const words: Readonly<Record<string, string>> = useTexts(EVENTS);
  return (event) => words[event] ?? event;
}

/** Says what an effect does; one that is not known says its own name. */
export function useOperationWords(): (operation: string) => string {
  const words: Readonly<Record<string, string>> = useTexts(OPERATIONS);
  return (operation) => words[operation] ?? operation;
}
