import type { OrderLine } from '../../events/event';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { beginningOf } from '../instant';
import { MAX_INSTALMENTS } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import { lineOfPrice, moneyOf, partOf, quantityOf, readLines } from '../mapping/lines';
import type { SalesInstalment, SalesOrderContents } from '../mapping/sales-order';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';
import { customerOf } from './customer';
import { namedBy } from './message';

/** Bling is for companies of Brazil, and names no currency. */
export const CURRENCY = 'BRL';
/** What Bling says where a day is not known. */
const NO_DAY = '0000-00-00';

/** What a sales order has, apart from its state. @param contact as fetched @throws UnreadablePayload */
export function contentsOf(
  order: Payload,
  contact: Payload | undefined,
  id: string,
  context: SourceContext,
): SalesOrderContents {
  const { source, timeZone } = context;
  const key = orderKey(source, id);
  const day = order.day('data', timeZone) ?? order.missing('data');
  return defined({
    ...{ key, source, id, number: order.text('numero') ?? id },
    total: order.amount('total', CURRENCY) ?? order.missing('total'),
    discount: discountOf(order),
    shipping: moneyOf([partOf(order.at('transporte'), 'frete', CURRENCY)], CURRENCY),
    createdAt: beginningOf(day, context) ?? order.fail('data', 'is before 1970'),
    customer: customerOf(order, contact, source, key),
    ...readLines(order.items('itens'), lineOf),
  });
}

/** A discount in per cent is of something that Bling does not name. */
function discountOf(order: Payload): Money | undefined {
  const discount = order.at('desconto');
  return discount.text('unidade') === 'PERCENTUAL'
    ? undefined
    : moneyOf([partOf(discount, 'valor', CURRENCY)], CURRENCY);
}

/** Bling names the form of payment by a number of the company's own: it is the gateway and the method. */
export function instalmentsOf(order: Payload, timeZone: string): SalesInstalment[] {
  return order.items('parcelas', MAX_INSTALMENTS).map((instalment) => {
    const form = namedBy(instalment.at('formaPagamento')) ?? '';
    return {
      value: instalment.amount('valor', CURRENCY) ?? instalment.missing('valor'),
      dueDate: dueDateOf(instalment, timeZone),
      ...{ gateway: form, method: form },
    };
  });
}

function dueDateOf(instalment: Payload, timeZone: string): CalendarDate | undefined {
  return instalment.text('dataVencimento') === NO_DAY
    ? undefined
    : instalment.day('dataVencimento', timeZone);
}

function lineOf(item: Payload): OrderLine {
  const title = item.text('descricao') ?? item.text('codigo') ?? item.missing('descricao');
  const price = item.amount('valor', CURRENCY) ?? item.missing('valor');
  return lineOfPrice(title, item.text('codigo'), quantityOf(item, 'quantidade'), price);
}
