import type { CommandRow } from './command-row';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const PATH = '/admin/organizations/main/privacy';
const WHO = { email: 'ana@example.com', reason: 'asked' };
const LINE = '--email ana@example.com --reason asked';
const PLAN = { dryRun: true, plan: 'p1', customers: [ID], deliveries: 4, dead: 1, erasure: null };
const ERASURE = { id: ID, state: 'waiting', requestedBy: 'source/loja', note: 'it waits for 1 dead letters' };

/** Copies of what is stored of a person, and erasures. */
export const PRIVACY_ROWS: readonly CommandRow[] = [
  {
    line: `privacy export ${LINE}`,
    asks: [
      [`POST ${PATH}/export`, WHO],
      [`POST ${PATH}/export`, { ...WHO, after: ID }],
    ],
    answers: [
      { body: { customers: [{ name: 'Ana' }], deliveries: [], after: ID } },
      { body: { customers: [{ name: 'Ana' }], deliveries: [{ id: 'd2' }], after: null } },
    ],
    shows: ['"Ana"', '"d2"'],
  },
  {
    line: `privacy erase ${LINE} --dry-run`,
    asks: [[`POST ${PATH}/erase`, { ...WHO, dryRun: true }]],
    answers: [{ body: PLAN }],
    shows: ['p1', ID],
  },
  {
    line: `privacy erase --document 52998224725 --discard-dead --reason asked --yes`,
    asks: [
      [`POST ${PATH}/erase`, { document: '52998224725', discardDead: true, reason: 'asked', dryRun: true }],
      [
        `POST ${PATH}/erase`,
        { document: '52998224725', discardDead: true, reason: 'asked', dryRun: false, plan: 'p1' },
      ],
    ],
    answers: [{ body: PLAN }, { body: { ...PLAN, dryRun: false, erasure: ID } }],
    shows: [ID],
  },
  {
    line: 'privacy erasures',
    asks: [`GET ${PATH}/erasures`],
    answers: [{ body: { items: [ERASURE], after: null } }],
    shows: ['source/loja', 'it waits for 1 dead letters'],
  },
  {
    line: `privacy erasure ${ID}`,
    asks: [`GET ${PATH}/erasures/${ID}`],
    answers: [{ body: ERASURE }],
    shows: ['waiting'],
  },
];
