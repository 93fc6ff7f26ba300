import { command } from '../definition';
import { wrongUsage } from '../failure';
import { orderLines } from '../output/order';
import { sends } from '../requests';
import type { Session } from '../session';

export const SEARCH = command('search <text>', 'Find orders, customers, deliveries and schedules', {
  details:
    'By the identifier or number of an order, a business key, a CPF or CNPJ, an e-mail address, or the identifier of a delivery, customer, schedule or receipt; each whole, not in part.',
  examples: ['1001 --org main', 'ana@example.com --org main'],
  run: sends('POST', 'search', { body: (_session, _options, text) => ({ text: given(text) }) }),
});

/** @throws Failure where a variable of a script was empty */
function given(text: string): string {
  if (text.trim() === '')
    throw wrongUsage('nothing to search for: name a number, a key, a document or an address');
  return text;
}

export const ORDER = command(
  'order <key>',
  'Show all that happened to an order or payout, in the order of time',
  {
    details: 'The key is its business key, which lists and `ponte search` show.',
    examples: ['shopify/order/1001 --org main'],
    run: showOrder,
  },
);

async function showOrder(session: Session, _options: object, key: string): Promise<void> {
  const reply = await session.get(session.within('timeline'), { key });
  if (session.json) return session.printJson(reply);
  await session.terminal.printLines(orderLines(reply.body, session.terminal.style));
}
