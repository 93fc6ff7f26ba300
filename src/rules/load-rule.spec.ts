import { compiled, problemsOf, run } from './fixtures';
import { loadRule } from './load-rule';

/** A rule that is right in everything; tests break one line of it at a time. */
const LINES = [
  'rule: probe', // 1
  'when:', // 2
  '  event: order.paid', // 3
  '  all:', // 4
  '    - "!order.test"', // 5
  'let:', // 6
  '  paidOn: order.paidAt.dateIn(org.timeZone)', // 7
  '  half: order.total', // 8
  'then:', // 9
  '  - id: customer', // 10
  '    do: customer.ensure', // 11
  '    with:', // 12
  '      name: ${order.customer.name}', // 13
  '  - id: schedule', // 14
  '    do: creditSchedule.ensure', // 15
  '    key: ${order.key}', // 16
  '    with:', // 17
  '      customer: ${steps.customer.id}', // 18
  '      value: ${half}', // 19
  '      dueDate: ${paidOn}', // 20
  '      description: Order ${order.number}', // 21
];

/** The rule with one line (1-based) replaced by others. */
function withLine(line: number, ...replacement: string[]): string {
  return [...LINES.slice(0, line - 1), ...replacement, ...LINES.slice(line)].join('\n');
}

function places(document: string): [number, number, string][] {
  return problemsOf(document).map(({ line, column, message }) => [line, column, message]);
}

describe('a rule document', () => {
  it('that is right is taken', () => {
    const rule = compiled(LINES.join('\n'), 7);
    expect(rule).toMatchObject({ name: 'probe', version: 7, event: 'order.paid', usesRaw: false });
  });

  it('is taken as JSON as well', () => {
    const document = {
      rule: 'probe',
      when: { event: 'order.paid', all: ['order.total > money("1.00")'] },
      then: [{ id: 'customer', do: 'customer.ensure', with: { name: '${order.customer.name}' } }],
    };
    expect(run(JSON.stringify(document, null, '\t'))).toMatchObject({
      matched: true,
      plan: { rule: 'probe' },
    });
  });

  it.each<[string, string, [number, number, string]]>([
    [
      'an unknown member',
      withLine(2, 'wen: 1', 'when:'),
      [2, 1, 'the rule has no member "wen"; did you mean "when"?'],
    ],
    [
      'an unknown member of a step',
      withLine(14, '  - id: schedule', '    dos: x'),
      [15, 5, 'step 2 has no member "dos"; did you mean "do"?'],
    ],
    ['a missing member', withLine(1), [1, 1, 'the rule needs a member "rule"']],
    [
      'a name of other letters',
      withLine(1, 'rule: Order Paid'),
      [1, 7, "a rule's name is made of lower-case letters, digits and hyphens"],
    ],
    [
      'an unknown event',
      withLine(3, '  event: order.payed'),
      [3, 10, 'there is no event "order.payed"; did you mean "order.paid"?'],
    ],
    [
      'a condition that is no list',
      withLine(4, '  all: yes').replace('    - "!order.test"\n', ''),
      [4, 8, '"all" must be a list'],
    ],
    [
      'a syntax error in a condition',
      withLine(5, '    - "!order.test &&"'),
      [5, 22, 'unexpected token: the end'],
    ],
    [
      'a condition that is no condition',
      withLine(5, '    - order.total'),
      [5, 7, 'it must give bool, but gives Money; a condition is for example order.total > money("0.00")'],
    ],
    [
      'a condition in braces',
      withLine(5, '    - ${order.test}'),
      [5, 7, 'an expression here is written as it is, without "${" and "}"'],
    ],
    [
      'an unknown field',
      withLine(5, "    - 'order.tst'"),
      [5, 14, 'Order has no field "tst"; did you mean "test"?'],
    ],
    [
      'an unknown name',
      withLine(5, '    - "!oder.test"'),
      [5, 9, 'unknown name "oder"; did you mean "order"?'],
    ],
    [
      'an expression behind escapes',
      withLine(5, '    - "\\"a\\" == order.nmber"'),
      [5, 23, 'Order has no field "nmber"; did you mean "number"?'],
    ],
    [
      'a let that uses a later one',
      withLine(7, '  paidOn: half2', '  half2: order.total'),
      [7, 11, '"half2" cannot be used here: it is defined further down'],
    ],
    [
      'a condition that uses a let',
      withLine(5, '    - half > money("0")'),
      [5, 7, '"half" cannot be used here: it is defined further down'],
    ],
    [
      'a let that takes a name',
      withLine(8, '  half: order.total', '  order: order.total'),
      [9, 3, 'the name "order" is taken'],
    ],
    [
      'a let that takes a name of the language',
      withLine(8, '  half: order.total', '  string: order.total'),
      [9, 3, 'the name "string" is taken'],
    ],
    [
      'a let with a bad name',
      withLine(8, '  half: order.total', '  Half-ish: order.total'),
      [9, 3, 'a name begins with a lower-case letter and goes on with letters, digits and _'],
    ],
    [
      'a let that uses steps',
      withLine(8, '  half: order.total', '  x: steps.customer.id'),
      [9, 6, '"steps" cannot be used here: only the steps below can use outputs of steps'],
    ],
    [
      'a step id twice',
      withLine(14, '  - id: customer'),
      [14, 9, 'there is a step "customer" already: give this one another id'],
    ],
    [
      'an unknown action',
      withLine(11, '    do: costumer.ensure'),
      [11, 9, 'there is no action "costumer.ensure"; did you mean "customer.ensure"?'],
    ],
    [
      'a missing key',
      withLine(16),
      [
        14,
        5,
        'creditSchedule.ensure needs a member "key": business key, for example ${order.key}; the schedule carries it as its reference',
      ],
    ],
    [
      'a missing input',
      withLine(20),
      [
        18,
        7,
        'creditSchedule.ensure needs the input "dueDate" (Date): when it is due; with instalments each has its own',
      ],
    ],
    [
      'an unknown input',
      withLine(21, LINES[20] ?? '', '      categry: x'),
      [22, 7, 'creditSchedule.ensure has no input "categry"; did you mean "category"?'],
    ],
    ['an empty input', withLine(13, '      name:'), [13, 12, 'the input "name" is empty']],
    [
      'an input of the wrong type',
      withLine(19, '      value: ${order.number}'),
      [19, 16, 'the input "value" takes Money, not string: an amount is written ${money("10.00")}'],
    ],
    [
      'text where an amount is needed',
      withLine(19, '      value: 10.00'),
      [19, 14, 'the input "value" takes Money: an amount is written ${money("10.00")}'],
    ],
    [
      'text around an amount',
      withLine(19, '      value: R$ ${half}'),
      [19, 14, 'the input "value" takes Money: a single expression with no text around it'],
    ],
    [
      'an instant where a date is needed',
      withLine(20, '      dueDate: ${order.paidAt}'),
      [
        20,
        18,
        'the input "dueDate" takes Date, not Instant; the day of an instant is instant.dateIn(org.timeZone)',
      ],
    ],
    [
      'a number where text is needed',
      withLine(21, '      description: ${order.instalments}'),
      [21, 22, 'the input "description" takes string, not int; write string(…) around it'],
    ],
    [
      'an output where text is needed',
      withLine(21, '      description: for ${steps.customer.id}'),
      [21, 26, 'CustomerRef cannot stand in text: it is not known before its step is done'],
    ],
    [
      'text where an output is needed',
      withLine(18, '      customer: ${order.customer.key}'),
      [
        18,
        19,
        'the input "customer" takes CustomerRef, not string: it is an output of an earlier step, for example ${steps.customer.id}',
      ],
    ],
    [
      'an output of a later step',
      withLine(13, '      name: ${steps.schedule.id}'),
      [13, 21, 'the step "schedule" does not come before this one: only steps further up can be used'],
    ],
    [
      'an output of the step itself',
      withLine(18, '      customer: ${steps.schedule.id}'),
      [18, 25, 'the step "schedule" does not come before this one: only steps further up can be used'],
    ],
    [
      'an output of an unknown step',
      withLine(18, '      customer: ${steps.costumer.id}'),
      [18, 25, 'there is no step "costumer"; did you mean "customer"?'],
    ],
    [
      'an unknown output',
      withLine(18, '      customer: ${steps.customer.ids}'),
      [18, 34, 'the step "customer" has no output "ids"; did you mean "id"?'],
    ],
    [
      'an unknown table',
      withLine(21, LINES[20] ?? '', '      category: ${tables.categry["x"]}'),
      [22, 26, 'there is no table "categry"; did you mean "category"?'],
    ],
    [
      'an expression that is not closed',
      withLine(21, '      description: a ${order.number'),
      [21, 22, '"${" is not closed by "}"'],
    ],
    [
      'a list where one value is needed',
      withLine(19, '      value: [a]'),
      [19, 14, 'the input "value" takes Money, not a list'],
    ],
    [
      'a map where one value is needed',
      withLine(19, '      value: {a: b}'),
      [19, 14, 'the input "value" takes Money, not a map'],
    ],
    [
      'an expression of several lines',
      withLine(21, '      description: |', '        ${order.number +', '          order.nmber}'),
      [23, 17, 'Order has no field "nmber"; did you mean "number"?'],
    ],
    [
      'an expression that costs too much',
      withLine(5, "    - 'order.lines.exists(a, order.lines.exists(b, a.title == b.title))'"),
      [
        5,
        8,
        'the expression could cost 64 times what is allowed, with lists and texts as long as they may be; nest fewer lists in each other',
      ],
    ],
    [
      'an expression that is too long',
      withLine(5, `    - '"${'a'.repeat(2_000)}" == order.number'`),
      [5, 8, 'the expression is longer than 2000 characters'],
    ],
    [
      'steps that are no list',
      withLine(9, 'then: x').split('\n').slice(0, 9).join('\n'),
      [9, 7, '"then" must be a list'],
    ],
    ['no steps', withLine(9, 'then: []').split('\n').slice(0, 9).join('\n'), [9, 7, '"then" has no steps']],
    ['a document that is no rule', '- a\n- b', [1, 1, 'a rule must be a map of names and values']],
  ])('with %s is refused, at its line and column', (_, document, expected) => {
    expect(places(document)).toContainEqual(expected);
  });

  it.each([
    ['let', withLine(7, '  paidOn: order.paidAt.dateIn(org.timeZon)')],
    ['action', withLine(11, '    do: customer.ensur')],
    ['event', withLine(3, '  event: order.payd')],
  ])('says once what is wrong with a %s, not again wherever it is used', (_, document) => {
    expect(problemsOf(document)).toHaveLength(1);
  });

  it('names every problem, in order, and the nearest name as data', () => {
    const document = withLine(5, '    - oder.test', '    - order.totl > money("0.00")').replace(
      'half}',
      'haf}',
    );
    expect(problemsOf(document)).toEqual([
      { line: 5, column: 7, message: 'unknown name "oder"; did you mean "order"?', nearest: 'order' },
      { line: 6, column: 13, message: 'Order has no field "totl"; did you mean "total"?', nearest: 'total' },
      { line: 20, column: 16, message: 'unknown name "haf"; did you mean "half"?', nearest: 'half' },
    ]);
  });

  it('refuses expressions that are dear only together', () => {
    const dear = '    - order.lines.all(l, order.refunds.all(r, r.value <= l.price))';
    expect(problemsOf(withLine(5, dear, dear))).toEqual([]);
    expect(places(withLine(5, dear, dear, dear))).toEqual([
      [7, 7, 'up to here the expressions of this rule could cost more together than is allowed'],
    ]);
  });

  it('refuses more conditions than any rule needs', () => {
    const conditions = Array.from({ length: 51 }, () => '    - order.test');
    expect(places(withLine(5, ...conditions))).toEqual([
      [5, 5, 'there are 51 conditions; at most 50 are taken'],
    ]);
  });

  it('has no tables when there are none', () => {
    const document = withLine(13, '      name: ${tables.category["x"]}');
    expect(loadRule(document, { tables: [] })).toEqual({
      problems: [{ line: 13, column: 22, message: 'there is no table "category"' }],
      head: { name: 'probe', event: 'order.paid' },
    });
  });

  it('is read once, and anew where it is another version or has other tables', () => {
    const document = withLine(13, '      name: ${tables.names["x"]}');
    const tables = new Map([['names', 1]]);
    // Each time another iterator, which can be walked once.
    const first = loadRule(document, { tables: tables.keys() });
    expect(loadRule(document, { tables: tables.keys() })).toBe(first);
    expect(first).toMatchObject({ rule: { version: 1 } });
    expect(loadRule(document, { tables: tables.keys() }, 2)).toMatchObject({ rule: { version: 2 } });
    expect(loadRule(document, { tables: [] })).toMatchObject({ problems: [{ line: 13 }] });
  });

  it('gives customer.updated events a customer and no order', () => {
    const document = [
      'rule: probe',
      'when: { event: customer.updated }',
      'then:',
      '  - id: customer',
      '    do: customer.ensure',
      '    with: { name: "${customer.name} ${order.number}" }',
    ].join('\n');
    expect(places(document)).toEqual([
      [6, 39, '"order" cannot be used here: a customer.updated event has no order'],
    ]);
  });
});

describe('inputs of one step that no event can be planned with', () => {
  const OWED = ['  - id: owed', '    do: creditSchedule.find', '    key: ${order.key}'];
  const RECEIPT = [
    '    with:',
    '      schedules: ${steps.owed.all}',
    '      account: main',
    '      allocate: oldest-first',
    '      value: ${order.total}',
    '      date: ${paidOn}',
  ];

  it.each([
    [
      'a customer that is to follow without an instant',
      ['    do: customer.ensure', '    with: { name: Ana, update: [name] }'],
      [19, 24, 'customer.ensure: the inputs "update" and "asOf" are given both, or neither'],
    ],
    [
      'an instant of which nothing follows',
      ['    do: customer.ensure', "    with: { name: Ana, asOf: '${event.occurredAt}', update: '' }"],
      [19, 24, 'customer.ensure: the inputs "update" and "asOf" are given both, or neither'],
    ],
    [
      'a transfer to the account that it leaves',
      [
        '    do: transfer.make',
        '    key: ${order.key}',
        '    with:',
        '      from: ${tables.gatewayAccount[order.payment.gateway]}',
        '      to: " ${tables.gatewayAccount[order.payment.gateway]}"',
        '      value: ${order.total}',
        '      date: ${paidOn}',
      ],
      [
        22,
        7,
        'transfer.make: the money would leave the account that gets it: give "to" another account than "from"',
      ],
    ],
    [
      'an opening balance without its day',
      ['    do: account.ensure', "    with: { name: Pix, openBalance: '${order.total}' }"],
      [19, 24, 'account.ensure: an opening balance needs the day that it is of: the input "openedOn"'],
    ],
    [
      'a supplier of whom nothing is said',
      ['    do: supplier.find', '    with: {}'],
      [19, 11, 'supplier.find: a supplier is found by the input "document" or "name", and neither is given'],
    ],
    [
      'income after a write-off without a description',
      ['    do: receipt.register', '    key: a', ...RECEIPT, '      writeOff: ${order.key}/cancelled'],
      [26, 7, 'receipt.register: the input "writeOff" needs a "description"'],
    ],
    [
      'a category of income without its write-off',
      ['    do: receipt.register', '    key: a', ...RECEIPT, '      category: 1.1.01'],
      [
        26,
        7,
        'receipt.register: the inputs "category" and "description" are about what is paid after "writeOff", which is not given',
      ],
    ],
  ])('are told of a new rule: %s', (_, step, problem) => {
    const lines = [...LINES.slice(0, 9), ...OWED, ...LINES.slice(9, 13), '  - id: probe', ...step];
    const whole = lines.join('\n');
    expect(places(whole)).toEqual([problem]);
    // A rule that is in force goes on: its other steps are right, and the event may leave this one out.
    expect(loadRule(whole, { tables: ['gatewayAccount'] })).toHaveProperty('rule');
  });

  it('are none where one of them is an expression that differs', () => {
    const step = [
      '  - id: probe',
      '    do: transfer.make',
      '    key: ${order.key}',
      "    with: { from: main, to: '${order.payment.gateway}', value: '${half}', date: '${paidOn}' }",
    ];
    expect(places([...LINES, ...step].join('\n'))).toEqual([]);
  });
});

describe('any document', () => {
  it('is either taken or refused with places inside it', () => {
    for (let cut = 0; cut < LINES.join('\n').length; cut += 7) {
      const document = LINES.join('\n').slice(0, cut);
      const loaded = loadRule(document, { tables: [] });
      for (const { line, column } of 'problems' in loaded ? loaded.problems : []) {
        const length = document.split('\n')[line - 1]?.length ?? -1;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(length + 1);
      }
    }
  });
});
