import { command, group, option } from '../definition';
import { ID, PAGING } from '../options';
import { lists, shows } from '../requests';

const STATES = ['open', 'overdue', 'paid', 'all'];

export const BOOKS = group('books', 'accounts, receivables and customers, whoever keeps the books', [
  command('accounts', 'List accounts with their balances', {
    examples: ['--org main'],
    options: PAGING,
    run: lists('books/accounts', ['id', 'kind', 'balance', 'currency', 'isDefault', 'name']),
  }),
  command('entries <account>', 'List what moved the balance of an account, the latest day first', {
    examples: [`${ID} --org main --from 2026-11-01 --to 2026-11-30 --all`],
    options: [...days('dated'), ...PAGING],
    run: lists('books/accounts/<account>/entries', [
      ...['date', 'type', 'value', 'customerOrSupplier.name', 'businessKey', 'description'],
    ]),
  }),
  command('receivables', 'List receivables by due date: open ones unless asked', {
    examples: ['--org main --state overdue --all'],
    options: [
      option('--state <state>', 'in this state', STATES),
      option('--customer <id>', 'only those of this customer'),
      ...days('due'),
      ...PAGING,
    ],
    run: lists('books/receivables', [
      ...['id', 'dueDate', 'overdueDays', 'open', 'value', 'instalment', 'customer.name', 'businessKey'],
    ]),
  }),
  command('customers', 'List customers; their documents and addresses are masked', {
    examples: ['--org main --search "Lia"', '--org main --search 529.982.247-25'],
    options: [option('--search <text>', 'a document, or a part of a name'), ...PAGING],
    run: lists('books/customers', ['id', 'document', 'email', 'name']),
  }),
  command('statement <customer>', 'Show a customer: receivables, what was received, what is open', {
    examples: [`${ID} --org main`],
    options: PAGING.filter(({ long }) => long !== '--all'),
    run: shows('books/customers/<customer>'),
  }),
]);

/** @param what the day is of a record */
function days(what: string) {
  return [
    option('--from <day>', `${what} on this day or later`),
    option('--to <day>', `${what} on this day or before`),
  ];
}
