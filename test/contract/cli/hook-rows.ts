import type { CommandRow } from './command-row';

const HOOKS = '/admin/organizations/main/sources/loja/hooks';
const ADDRESS = 'https://ponte.example.com/hooks/main/loja';

const RIGHT = {
  ...{ state: 'fine', action: null, topics: ['order.updated'], id: '7' },
  ...{ address: ADDRESS, enabled: true, problem: null },
};
const MISSING = {
  ...{ state: 'missing', action: 'create', topics: ['order.created'], id: null },
  ...{ address: null, enabled: null, problem: null },
};
const STEP = { action: 'create', topics: ['order.created'], outcome: 'done', reason: null };

/** What `GET …/sources/loja/hooks` answers. */
export function hooksView(changes: object = {}): object {
  return {
    ...{ registers: true, reason: null, missingCredentials: [], address: ADDRESS },
    ...{ hooks: [MISSING, RIGHT], plan: 'a-plan', steps: [], setUp: ['Open the admin.'] },
    ...changes,
  };
}

export const HOOK_ROWS: readonly CommandRow[] = [
  {
    line: 'sources connect loja --dry-run',
    asks: [`GET ${HOOKS}`],
    answers: [{ status: 200, body: hooksView() }],
    shows: ['missing', 'create', 'order.created', ADDRESS],
  },
  {
    line: 'sources connect loja --yes --reason opening',
    asks: [`GET ${HOOKS}`, [`POST ${HOOKS}/repair`, { dryRun: false, plan: 'a-plan', reason: 'opening' }]],
    answers: [
      { status: 200, body: hooksView() },
      { status: 200, body: hooksView({ hooks: [RIGHT], steps: [STEP] }) },
    ],
    shows: ['outcome', 'done', 'order.created', 'fine'],
  },
];
