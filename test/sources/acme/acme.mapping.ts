import type { CustomerFacts, OrderFacts, OrderLine } from '../../../src/events/event';
import { readInstalments } from '../../../src/sources/mapping/custom-fields';
import { customerFacts } from '../../../src/sources/mapping/customer';
import { definedOnly } from '../../../src/sources/mapping/defined';
import { buyerKey, fullPaymentKey, orderKey } from '../../../src/sources/mapping/keys';
import { lineOfPrice, quantityOf, readLines } from '../../../src/sources/mapping/lines';
import { orderEvents } from '../../../src/sources/mapping/order-events';
import { Payload } from '../../../src/sources/payload';
import { flagSetting } from '../../../src/sources/settings';
import type { Normalised, SourceContext, StoredWebhook } from '../../../src/sources/source';

const TOPICS = ['sale.placed', 'sale.settled'];

/** @throws UnreadablePayload */
export function normaliseAcme(webhook: StoredWebhook, context: SourceContext): Normalised {
  if (!TOPICS.includes(webhook.topic)) return { ignored: `topic ${webhook.topic} is none that Ponte reads` };
  const sale = Payload.parse(webhook.rawBody);
  const created = webhook.topic === 'sale.placed';
  return { events: orderEvents(orderOf(sale, context), { created }, sale) };
}

function orderOf(sale: Payload, context: SourceContext): OrderFacts {
  const id = sale.identifier('sale_no') ?? sale.missing('sale_no');
  const key = orderKey(context.source, id);
  const currency = sale.currency('money') ?? context.currency;
  const total = sale.amount('sum', currency) ?? sale.missing('sum');
  const paidAt = sale.instant('settled', context.timeZone);
  const { lines, differences } = readLines(sale.items('goods'), (line) => lineOf(line, currency));
  const { instalments, differences: odd } = readInstalments([sale.text('parts')]);
  return {
    key,
    source: context.source,
    id,
    number: id,
    total,
    createdAt: sale.instant('placed', context.timeZone) ?? sale.missing('placed'),
    ...definedOnly({ paidAt }),
    instalments,
    test: sale.flag('rehearsal') && !flagSetting(context.settings, 'bookTestOrders'),
    customer: buyerOf(sale.at('buyer'), key, context),
    payments: paidAt
      ? [{ key: fullPaymentKey(key), gateway: sale.text('by') ?? '', method: '', value: total, paidAt }]
      : [],
    refunds: [],
    lines,
    differences: [...differences, ...odd],
  };
}

function buyerOf(buyer: Payload, order: string, context: SourceContext): CustomerFacts {
  const key = buyerKey(context.source, buyer.identifier('no'), order);
  return customerFacts(key, [buyer.text('called')], {
    document: buyer.text('tax_no'),
    email: buyer.text('mail'),
  });
}

function lineOf(line: Payload, currency: string): OrderLine {
  const title = line.text('what') ?? line.missing('what');
  const price = line.amount('each', currency) ?? line.missing('each');
  return lineOfPrice(title, line.text('code'), quantityOf(line, 'pieces'), price);
}
