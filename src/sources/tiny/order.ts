import type { OrderLine } from '../../events/event';
import { CalendarDate, CalendarDateError } from '../../kernel/calendar-date';
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

/** Tiny is for companies of Brazil, and names no currency. */
const CURRENCY = 'BRL';
const SEVERAL = 'multiplas';

/** What a sales order has, apart from its state. @throws UnreadablePayload */
export function contentsOf(order: Payload, id: string, context: SourceContext): SalesOrderContents {
  const { source, timeZone } = context;
  const key = orderKey(source, id);
  const day = dayOf(order, 'data_pedido', timeZone) ?? order.missing('data_pedido');
  const part = (name: string) => moneyOf([partOf(order, name, CURRENCY)], CURRENCY);
  return defined({
    ...{ key, source, id, number: order.text('numero') ?? id },
    total: order.amount('total_pedido', CURRENCY) ?? order.missing('total_pedido'),
    discount: part('valor_desconto'),
    shipping: part('valor_frete'),
    marketplace: order.loosely('intermediador').textIfAny('nome'),
    createdAt: beginningOf(day, context) ?? order.fail('data_pedido', 'is before 1970'),
    customer: customerOf(order, source, key),
    ...readLines(
      order.items('itens').map((item) => item.at('item')),
      lineOf,
    ),
  });
}

/** An order without instalments is one of its total. What does not say itself how it is paid is paid as the order is. */
export function instalmentsOf(order: Payload, total: Money, timeZone: string): SalesInstalment[] {
  const items = order.items('parcelas', MAX_INSTALMENTS);
  if (items.length === 0) return [{ value: total, dueDate: undefined, ...waysOf(order, order) }];
  return items.map((item) => {
    const instalment = item.at('parcela');
    return {
      value: instalment.amount('valor', CURRENCY) ?? instalment.missing('valor'),
      dueDate: dayOf(instalment, 'data', timeZone),
      ...waysOf(instalment, order),
    };
  });
}

/** `multiplas` says that there are several ways, and not which. */
function waysOf(place: Payload, order: Payload): Pick<SalesInstalment, 'gateway' | 'method'> {
  const method = place.text('forma_pagamento') ?? order.text('forma_pagamento') ?? '';
  const gateway = place.text('meio_pagamento') ?? order.text('meio_pagamento') ?? '';
  return { gateway, method: method === SEVERAL ? '' : method };
}

/** Tiny writes days as `DD/MM/YYYY`. */
function dayOf(place: Payload, key: string, timeZone: string): CalendarDate | undefined {
  const text = place.text(key);
  if (text === undefined) return undefined;
  try {
    return CalendarDate.parseSent(text, timeZone);
  } catch (error) {
    if (error instanceof CalendarDateError) return place.fail(key, 'is not a day, for example 31/01/2026');
    throw error;
  }
}

function lineOf(item: Payload): OrderLine {
  const title = item.text('descricao') ?? item.text('codigo') ?? item.missing('descricao');
  const price = item.amount('valor_unitario', CURRENCY) ?? item.missing('valor_unitario');
  return lineOfPrice(title, item.text('codigo'), quantityOf(item, 'quantidade'), price);
}
