import type { ScriptedReply } from '../../support/recording-server';
import type { CommandRow } from './command-row';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const ORG = '/admin/organizations/main';
const NOTHING: ScriptedReply = { status: 204 };

const ENDPOINTS = `${ORG}/notifications/endpoints`;
const SUBSCRIPTIONS = `${ORG}/notifications/subscriptions`;
const FINANCE = { name: 'finance', emails: ['ana@example.com'], schedule: 'daily', at: '08:00' };
const ERP = { name: 'erp', url: 'https://erp.example.com/ponte', secretCount: 1, secret: null };

/** What waits for a decision, or for its day, and where messages of it go. */
export const DECISION_ROWS: readonly CommandRow[] = [
  {
    line: 'approvals list --state waiting',
    asks: [`GET ${ORG}/approvals?state=waiting`],
    answers: [listed({ id: ID, plan: { operation: 'payment.register', amount: '30.00' }, step: 'refund' })],
    shows: ['payment.register', '30.00', 'refund'],
  },
  {
    line: `approvals show ${ID}`,
    asks: [`GET ${ORG}/approvals/${ID}`],
    answers: [{ body: { id: ID, plan: { amount: '30.00', input: { account: 'main' } } } }],
    shows: ['30.00', 'main'],
  },
  {
    line: `approvals approve ${ID}`,
    asks: [[`POST ${ORG}/approvals/${ID}/approve`, {}]],
    answers: [NOTHING],
  },
  {
    line: `approvals decline ${ID} --reason kept`,
    asks: [[`POST ${ORG}/approvals/${ID}/decline`, { reason: 'kept' }]],
    answers: [NOTHING],
  },
  {
    line: `approvals reopen ${ID} --reason mistake`,
    asks: [[`POST ${ORG}/approvals/${ID}/reopen`, { reason: 'mistake' }]],
    answers: [NOTHING],
  },
  {
    line: 'deferred list --state refused',
    asks: [`GET ${ORG}/deferred-effects?state=refused`],
    answers: [listed({ id: ID, key: 'receipt/p/2', notBefore: '2026-12-05', state: 'refused' })],
    shows: ['receipt/p/2', '2026-12-05'],
  },
  {
    line: `deferred cancel ${ID} --reason gone`,
    asks: [[`POST ${ORG}/deferred-effects/${ID}/cancel`, { reason: 'gone' }]],
    answers: [NOTHING],
  },
  {
    line: `deferred retry ${ID} --reason mended`,
    asks: [[`POST ${ORG}/deferred-effects/${ID}/retry`, { reason: 'mended' }]],
    answers: [NOTHING],
  },
  { line: 'endpoints list', asks: [`GET ${ENDPOINTS}`], answers: [listed(ERP)], shows: ['erp', ERP.url] },
  {
    line: `endpoints create erp --address ${ERP.url} --reason messages`,
    asks: [[`POST ${ENDPOINTS}`, { name: 'erp', url: ERP.url, reason: 'messages' }]],
    answers: [{ body: { ...ERP, secret: 'whsec_shown_once' } }],
    shows: ['whsec_shown_once'],
  },
  { line: 'endpoints remove erp', asks: [`DELETE ${ENDPOINTS}/erp`], answers: [NOTHING] },
  {
    line: 'endpoints secret-add erp',
    asks: [[`POST ${ENDPOINTS}/erp/secrets`, {}]],
    answers: [{ body: { ...ERP, secretCount: 2, secret: 'whsec_another' } }],
    shows: ['whsec_another'],
  },
  {
    line: 'endpoints secret-retire erp',
    asks: [[`POST ${ENDPOINTS}/erp/secrets/retire`, {}]],
    answers: [{ body: ERP }],
    shows: ['erp'],
  },
  {
    line: 'subscriptions list',
    asks: [`GET ${SUBSCRIPTIONS}`],
    answers: [listed(FINANCE)],
    shows: ['finance', 'ana@example.com', '08:00'],
  },
  {
    line: 'subscriptions create finance --email ana@example.com --email eva@example.com --schedule daily --at 08:00 --language pt-BR --about dead-letters --about sources --reason "new accountant"',
    asks: [
      [
        `POST ${SUBSCRIPTIONS}`,
        {
          ...{ name: 'finance', emails: ['ana@example.com', 'eva@example.com'], language: 'pt-BR' },
          ...{ schedule: 'daily', at: '08:00', about: ['dead-letters', 'sources'], reason: 'new accountant' },
        },
      ],
    ],
    answers: [{ body: FINANCE }],
    shows: ['finance'],
  },
  {
    line: 'subscriptions create pager --endpoint erp --schedule immediate',
    asks: [[`POST ${SUBSCRIPTIONS}`, { name: 'pager', endpoint: 'erp', schedule: 'immediate' }]],
    answers: [{ body: FINANCE }],
    shows: ['finance'],
  },
  { line: 'subscriptions remove finance', asks: [`DELETE ${SUBSCRIPTIONS}/finance`], answers: [NOTHING] },
];

function listed(...items: object[]): ScriptedReply {
  return { body: { items, after: null } };
}
