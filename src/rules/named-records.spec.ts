import { CONTEXT, paidOrder, problemsOf, TABLES } from './fixtures';
import { loadRule } from './load-rule';
import { planRule } from './plan-rule';

const LIST = `
  - id: account
    do: account.ensure
    with: { name: PagBank }
  - id: supplier
    do: supplier.find
    with: { name: Aurora }
  - id: customer
    do: customer.ensure
    with: { name: Ana }
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with:
      customer: \${steps.customer.id}
      value: \${order.total}
      dueDate: \${date("2026-03-01")}
      description: Order
`;

const rule = (...steps: string[]) =>
  `rule: r\nwhen: { event: order.paid }\nthen:${LIST}${steps.map((step) => `  - ${step}\n`).join('')}`;

const pay = (inputs: string) =>
  `{ id: last, do: payment.register, key: k, with: { value: '\${order.total}', date: '\${date("2026-03-01")}', description: d, ${inputs} } }`;

/** The inputs of the last step's effect. */
function lastInput(document: string): unknown {
  const loaded = loadRule(document, { tables: TABLES.keys() });
  if ('problems' in loaded) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  const outcome = planRule(loaded.rule, paidOrder(), CONTEXT);
  if (!('plan' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.plan.steps.at(-1)?.effects[0]?.input;
}

it('hands an account and a supplier that earlier steps found on to a later one', () => {
  const step = pay("account: '${steps.account.id}', customer: '${steps.supplier.id}'");
  expect(lastInput(rule(step))).toMatchObject({
    account: { $ref: 'account.id' },
    stakeholder: { $ref: 'supplier.id' },
  });
});

it('settles one schedule as well as all of them', () => {
  const receive = (schedules: string) =>
    `{ id: last, do: receipt.register, key: k, with: { schedules: '${schedules}', allocate: oldest-first, value: '\${order.total}', date: '\${date("2026-03-01")}', account: main } }`;
  expect(lastInput(rule(receive('${steps.schedule.id}')))).toMatchObject({
    schedules: { $ref: 'schedule.id' },
    account: 'main',
  });
  expect(lastInput(rule(receive('${steps.schedule.all}')))).toMatchObject({
    schedules: { $ref: 'schedule.all' },
  });
});

it('settles a payment by parts on an account and a schedule that earlier steps found', () => {
  const settle = `{ id: last, do: receipt.settle, key: k, with: { schedules: '\${steps.schedule.id}', account: '\${steps.account.id}', plan: '\${order.total.instalments(2, date("2026-03-01"))}' } }`;
  expect(lastInput(rule(settle))).toMatchObject({
    schedules: { $ref: 'schedule.id' },
    account: { $ref: 'account.id' },
  });
});

it('has customers follow the shop as of an instant', () => {
  const step =
    '{ id: last, do: customer.ensure, with: { name: Ana, update: [name, email], asOf: "${order.createdAt}" } }';
  expect(lastInput(rule(step))).toMatchObject({
    update: ['name', 'email'],
    asOf: paidOrder().order.createdAt.toISOString(),
  });
});

it.each([
  [pay("account: '${steps.customer.id}'"), 'the input "account" takes string | AccountRef, not CustomerRef'],
  [
    pay("account: main, customer: '${steps.account.id}'"),
    'the input "customer" takes CustomerRef | SupplierRef, not AccountRef: it is an output of an earlier step, for example ${steps.customer.id}',
  ],
  [
    '{ id: last, do: customer.ensure, with: { name: Ana, update: [nmae], asOf: "${order.createdAt}" } }',
    'element 1 of the input "update": it must be name or email or phone or address',
  ],
  [
    '{ id: last, do: costCenter.update, with: { costCenter: c, description: d, asOf: "${date(\\"2026-03-01\\")}" } }',
    'the input "asOf" takes Instant, not Date: an instant comes with the event, for example ${event.occurredAt}',
  ],
  [
    '{ id: last, do: creditSchedule.writeOff, key: k, with: { schedules: "${steps.customer.id}", account: main, category: c, date: "${date(\\"2026-03-01\\")}", description: d } }',
    'the input "schedules" takes ScheduleRefs | ScheduleRef, not CustomerRef: it is an output of an earlier step, for example ${steps.customer.id}',
  ],
])('says what is wrong with %s', (step, message) => {
  expect(problemsOf(rule(step)).map((problem) => problem.message)).toEqual([message]);
});
