export const RULE_VIEW = {
  name: 'order-paid',
  version: 3,
  enabled: true,
  event: 'order.paid',
  createdAt: '2026-11-20T12:00:00.000Z',
};

/** What `GET …/rules/{name}/settings` answers: three settings that are set, and one that is not. */
export const RULE_SETTINGS = {
  rule: 'order-paid',
  version: 3,
  settings: [
    { name: 'rate', type: 'percentage', value: '3.5', isSet: true },
    { name: 'days', type: 'int', value: '2', isSet: true },
    { name: 'basis', type: 'choice', value: 'cash', isSet: true },
    { name: 'least', type: 'Money', value: '1.00', isSet: false },
  ],
  undeclared: [],
};
