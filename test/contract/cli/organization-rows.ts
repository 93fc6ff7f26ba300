import type { CommandRow } from './command-row';

const ORG = '/admin/organizations/main';

export const ORGANIZATION_ROWS: readonly CommandRow[] = [
  {
    line: 'organizations list',
    asks: ['GET /admin/organizations'],
    answers: [{ body: { items: [{ slug: 'main', name: 'Padaria' }], after: null } }],
    shows: ['slug', 'main', 'Padaria'],
  },
  {
    line: 'organizations show',
    asks: [`GET ${ORG}`],
    answers: [{ body: { slug: 'main', currency: 'BRL' } }],
    shows: ['currency  BRL'],
  },
  {
    line: 'organizations show other',
    asks: ['GET /admin/organizations/other'],
    answers: [{ body: { slug: 'other' } }],
  },
  {
    line: 'organizations create padaria --name "Padaria Aurora" --time-zone America/Manaus --currency BRL --chart brazil --profile accrual --rules none --reason new',
    asks: [
      [
        'POST /admin/organizations',
        {
          slug: 'padaria',
          name: 'Padaria Aurora',
          timeZone: 'America/Manaus',
          currency: 'BRL',
          chart: 'brazil',
          profile: 'accrual',
          rules: 'none',
          reason: 'new',
        },
      ],
    ],
    answers: [{ status: 201, body: { slug: 'padaria' } }],
  },
  {
    line: 'organizations change --name Aurora --default-account none --raw-body-days 30 --reason why',
    asks: [[`PATCH ${ORG}`, { name: 'Aurora', defaultAccountId: null, rawBodyDays: 30, reason: 'why' }]],
    answers: [{ body: { slug: 'main' } }],
  },
  {
    line: 'organizations retention',
    asks: [`GET ${ORG}/retention`],
    answers: [{ body: { kinds: [{ kind: 'plans', days: 1825, removed: 7 }] } }],
    shows: ['plans', '1825'],
  },
  {
    line: 'organizations change --keep plans=1825 --keep calls=forever --reason law',
    asks: [[`PATCH ${ORG}`, { retention: { plans: 1825, calls: null }, reason: 'law' }]],
    answers: [{ body: { slug: 'main' } }],
  },
  {
    line: 'organizations change --profile accrual',
    asks: [[`PATCH ${ORG}`, { profile: 'accrual' }]],
    answers: [
      { body: { slug: 'main', profile: 'accrual', profileChange: { put: ['order-created'], kept: [] } } },
    ],
    shows: ['accrual', 'order-created'],
  },
];
