import type { CommandRow } from './command-row';

const ORG = '/admin/organizations/main';
const DOCUMENT = '# Asks first.\nrule: large-refund\nwhen: { event: order.refunded }\n';
/** Made under another name. */
const MADE = DOCUMENT.replace('large-refund', 'ask-me');
const VIEW = { name: 'large-refund', event: 'order.refunded', description: 'Asks first.' };
const VALID = {
  valid: true,
  name: 'ask-me',
  event: 'order.refunded',
  problems: [],
  warnings: ['shared key'],
};

export const TEMPLATE_ROWS: readonly CommandRow[] = [
  {
    line: 'rules templates',
    asks: [`GET ${ORG}/rule-templates`],
    answers: [{ body: { items: [VIEW], after: null } }],
    shows: ['large-refund', 'order.refunded', 'Asks first.'],
  },
  {
    line: 'rules new ask-me --template large-refund',
    asks: [`GET ${ORG}/rule-templates/large-refund`, [`POST ${ORG}/rules/check`, MADE]],
    answers: [{ body: { ...VIEW, document: DOCUMENT } }, { body: VALID }],
    shows: ['# Asks first.', 'rule: ask-me', 'order.refunded'],
  },
  {
    line: 'rules new ask-me --template large-refund --put --reason careful',
    asks: [
      `GET ${ORG}/rule-templates/large-refund`,
      [`POST ${ORG}/rules/check`, MADE],
      [`PUT ${ORG}/rules/ask-me?reason=careful`, MADE],
    ],
    answers: [
      { body: { ...VIEW, document: DOCUMENT } },
      { body: VALID },
      { body: { name: 'ask-me', version: 1, warnings: [] } },
    ],
    shows: ['ask-me'],
  },
];
