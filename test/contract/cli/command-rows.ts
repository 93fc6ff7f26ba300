import type { ScriptedReply } from '../../support/recording-server';
import { BACKTEST_ROWS } from './backtest-rows';
import { BOOKS_ROWS } from './books-rows';
import { COMPLETENESS_ROWS } from './completeness-rows';
import type { CommandRow } from './command-row';
import { DECISION_ROWS } from './decision-rows';
import { ORGANIZATION_ROWS } from './organization-rows';
import { HOOK_ROWS } from './hook-rows';
import { PRIVACY_ROWS } from './privacy-rows';
import { RULE_SETTINGS, RULE_VIEW } from './rule-replies';
import { TEMPLATE_ROWS } from './template-rows';

export const SECRET = 'a-secret-of-a-shop';
const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const ORG = '/admin/organizations/main';
export const RULE = 'rule: order-paid\nwhen: { event: order.paid }\n';
export const EVENT = { type: 'order.paid', key: 'loja/order/1' };

const DELIVERY = {
  id: ID,
  source: 'shopify',
  topic: 'orders/paid',
  state: 'dead',
  businessKey: 'loja/order/1',
  reason: 'no category',
  receivedAt: '2026-11-20T12:00:00.000Z',
};
const SOURCE = {
  slug: 'loja',
  provider: 'shopify',
  settings: { timeZone: 'America/Manaus' },
  secretCount: 1,
  webhookUrl: 'https://ponte.example.com/hooks/main/loja',
  paused: false,
  status: { receiving: true, reason: null, lastReceivedAt: null, waiting: 2, dead: 1 },
};
const EFFECT = {
  id: ID,
  state: 'unknown',
  operation: 'registerReceipt',
  effectKey: 'receipt/1',
  attempts: 2,
};
const PROVIDER = {
  id: 'shopify',
  title: 'Shopify',
  settings: { timeZone: { type: 'string', description: 'IANA zone', required: false } },
  setUp: ['Open the settings.', 'Press Save.'],
};
const ACTION = {
  name: 'customer.ensure',
  description: 'Finds a customer or makes one',
  key: { required: false, description: 'whose' },
  input: [{ name: 'name', type: 'text', required: true, description: 'its name' }],
  output: [{ name: 'id', type: 'reference', description: 'the customer' }],
};
const REPLAY = {
  dryRun: true,
  applied: [
    { rule: 'order-paid', step: 'customer', key: 'k1', operation: 'customer.ensure', state: 'applied' },
  ],
  missing: [
    { rule: 'order-paid', step: 'receipt', key: 'k2', operation: 'receipt.allocate', state: 'missing' },
  ],
  refused: [],
  queued: false,
};
const PREVIEW = {
  rule: 'order-paid',
  version: 3,
  events: [
    {
      index: 0,
      type: 'order.paid',
      businessKey: 'loja/order/1',
      matched: true,
      refused: null,
      plan: {
        steps: [
          {
            id: 'customer',
            action: 'customer.ensure',
            effects: [{ key: 'k1', operation: 'customer.ensure', input: { name: 'M' } }],
          },
        ],
      },
    },
  ],
};

function listed(...items: object[]): ScriptedReply {
  return { body: { items, after: null } };
}

const NOTHING: ScriptedReply = { status: 204 };
const one = (body: object): ScriptedReply[] => [{ body }];

/** Every command once at least: what it sends, and what it shows of the answer. */
export const ROWS: readonly CommandRow[] = [
  ...ORGANIZATION_ROWS,
  {
    line: 'keys list',
    asks: [`GET ${ORG}/keys`],
    answers: [listed({ id: ID, scopes: ['feed:read', 'admin'], name: 'erp' })],
    shows: ['feed:read, admin', 'erp'],
  },
  {
    line: 'keys create --name erp --scopes "feed:read, admin"',
    asks: [[`POST ${ORG}/keys`, { name: 'erp', scopes: ['feed:read', 'admin'] }]],
    answers: [{ status: 201, body: { id: ID, key: 'pk_made' } }],
    shows: ['pk_made'],
  },
  { line: `keys revoke ${ID}`, asks: [`DELETE ${ORG}/keys/${ID}`], answers: [NOTHING] },
  {
    line: 'finance show',
    asks: [`GET ${ORG}/finance`],
    answers: one({ baseUrl: 'https://f.example.com/v1', limits: { perSecond: 5 } }),
    shows: ['https://f.example.com/v1', 'perSecond=5'],
  },
  {
    line: 'finance set --base-url https://f.example.com/v1 --organization-name acme --credential bearer --form xml --per-second 5 --at-once 2 --one-write-at-a-time --cache-ms 0 --connect-ms 1 --headers-ms 2 --total-ms 3 --settle-ms 1000 --unique-documents --customer-listing /customers --unknown-customers repeat --secret-file @secret --reason why',
    asks: [
      [
        `PUT ${ORG}/finance`,
        {
          baseUrl: 'https://f.example.com/v1',
          organization: 'acme',
          apiKey: SECRET,
          credential: 'bearer',
          form: 'xml',
          limits: { perSecond: 5, atOnce: 2, oneWriteAtATime: true },
          cacheMs: 0,
          timeouts: { connectMs: 1, headersMs: 2, totalMs: 3 },
          settleMs: 1000,
          uniqueDocuments: true,
          customerListing: '/customers',
          unknownCustomers: 'repeat',
          reason: 'why',
        },
      ],
    ],
    answers: one({ baseUrl: 'https://f.example.com/v1' }),
  },
  { line: 'finance set', asks: [[`PUT ${ORG}/finance`, {}]], answers: one({}) },
  {
    line: 'finance test',
    asks: [`POST ${ORG}/finance/test`],
    answers: one({ ok: true, detail: 'listed', milliseconds: 4 }),
    shows: ['listed'],
  },
  { line: 'finance recovery', asks: [`GET ${ORG}/finance/recovery`], answers: one({}) },
  {
    line: 'finance begin-recovery --reason restored',
    asks: [[`PUT ${ORG}/finance/recovery`, { reason: 'restored' }]],
    answers: one({}),
  },
  { line: 'finance end-recovery', asks: [`DELETE ${ORG}/finance/recovery`], answers: one({}) },
  {
    line: 'sources list',
    asks: [`GET ${ORG}/sources`],
    answers: [listed(SOURCE)],
    shows: ['status.receiving', 'loja', 'true'],
  },
  {
    line: 'sources show loja',
    asks: [`GET ${ORG}/sources/loja`],
    answers: one(SOURCE),
    shows: ['https://ponte.example.com/hooks/main/loja', 'waiting=2'],
  },
  {
    line: `sources create loja --provider shopify --secret-env SHOP_SECRET --setting timeZone=America/Manaus --setting days=3 --setting 'code="7"' --setting on=true --paused --reason new`,
    asks: [
      [
        `POST ${ORG}/sources`,
        {
          slug: 'loja',
          provider: 'shopify',
          secrets: [SECRET],
          settings: { timeZone: 'America/Manaus', days: 3, code: '7', on: true },
          paused: true,
          reason: 'new',
        },
      ],
    ],
    answers: [{ status: 201, body: SOURCE }],
    shows: ['https://ponte.example.com/hooks/main/loja'],
  },
  {
    line: 'sources create loja --provider shopify',
    asks: [[`POST ${ORG}/sources`, { slug: 'loja', provider: 'shopify' }]],
    answers: [{ status: 201, body: SOURCE }],
  },
  {
    line: 'sources change loja --setting timeZone=America/Manaus',
    asks: [[`PATCH ${ORG}/sources/loja`, { settings: { timeZone: 'America/Manaus' } }]],
    answers: one(SOURCE),
  },
  {
    line: 'sources pause loja --reason stock',
    asks: [[`POST ${ORG}/sources/loja/pause`, { reason: 'stock' }]],
    answers: one(SOURCE),
  },
  { line: 'sources resume loja', asks: [[`POST ${ORG}/sources/loja/resume`, {}]], answers: one(SOURCE) },
  {
    line: 'sources secret-add loja --secret-file @secret --reason yearly',
    asks: [[`POST ${ORG}/sources/loja/secrets`, { secret: SECRET, reason: 'yearly' }]],
    answers: one(SOURCE),
    shows: ['secretCount'],
  },
  {
    line: 'sources credentials loja --from-file accessToken=@secret --reason yearly',
    asks: [
      [`PUT ${ORG}/sources/loja/credentials`, { credentials: { accessToken: SECRET }, reason: 'yearly' }],
    ],
    answers: one(SOURCE),
  },
  {
    line: 'sources credentials loja --forget',
    asks: [[`PUT ${ORG}/sources/loja/credentials`, { credentials: {} }]],
    answers: one(SOURCE),
  },
  ...HOOK_ROWS,
  { line: 'sources secret-retire loja', asks: [`DELETE ${ORG}/sources/loja/secrets`], answers: one(SOURCE) },
  {
    line: 'providers list',
    asks: [`GET ${ORG}/providers`],
    answers: [listed(PROVIDER)],
    shows: ['shopify', 'Shopify'],
  },
  {
    line: 'providers show shopify',
    asks: [`GET ${ORG}/providers`],
    answers: [listed(PROVIDER)],
    shows: ['1. Open the settings.', '2. Press Save.', 'timeZone', 'IANA zone'],
  },
  {
    line: 'actions list',
    asks: [`GET ${ORG}/actions`],
    answers: [listed(ACTION)],
    shows: ['customer.ensure', 'Finds a customer'],
  },
  {
    line: 'actions show customer.ensure',
    asks: [`GET ${ORG}/actions`],
    answers: [listed(ACTION)],
    shows: ['input', 'its name', 'the customer'],
  },
  {
    line: 'rules list',
    asks: [`GET ${ORG}/rules`],
    answers: [listed(RULE_VIEW)],
    shows: ['order-paid', '3'],
  },
  {
    line: 'rules show order-paid',
    asks: [`GET ${ORG}/rules/order-paid`],
    answers: one({ ...RULE_VIEW, document: RULE }),
    shows: ['  rule: order-paid', '  when:'],
  },
  {
    line: 'rules show order-paid --document',
    asks: [`GET ${ORG}/rules/order-paid`],
    answers: one({ ...RULE_VIEW, document: RULE }),
    shows: [RULE],
  },
  {
    line: 'rules versions order-paid',
    asks: [`GET ${ORG}/rules/order-paid/versions`],
    answers: [listed({ version: 3, inForce: true, createdAt: 't', document: RULE })],
    shows: ['inForce', '3'],
  },
  {
    line: 'rules settings order-paid',
    asks: [`GET ${ORG}/rules/order-paid/settings`],
    answers: one(RULE_SETTINGS),
    shows: ['rate', '3.5'],
  },
  {
    line: 'rules settings order-paid --set rate=4 --set note=a=b --unset days --reason new',
    asks: [
      `GET ${ORG}/rules/order-paid/settings`,
      [
        `PUT ${ORG}/rules/order-paid/settings`,
        { settings: { rate: '4', note: 'a=b', basis: 'cash' }, reason: 'new' },
      ],
    ],
    answers: [{ body: RULE_SETTINGS }, { body: RULE_SETTINGS }],
    shows: ['rate'],
  },
  {
    line: 'rules schema',
    asks: [`GET ${ORG}/rule-schema`],
    answers: one({ title: 'A rule of Ponte' }),
    shows: ['"title": "A rule of Ponte"'],
  },
  {
    line: 'rules put @rule.yaml --reason "instalments & more"',
    asks: [[`PUT ${ORG}/rules/order-paid?reason=instalments+%26+more`, RULE]],
    answers: one({ name: 'order-paid', version: 4 }),
    shows: ['version  4'],
  },
  {
    line: 'rules put @rule.json',
    asks: [[`PUT ${ORG}/rules/json-rule`, { when: { event: 'order.paid' }, rule: 'json-rule' }]],
    answers: one({ name: 'json-rule', version: 1 }),
  },
  {
    line: 'rules put @rule.yaml --name other',
    asks: [[`PUT ${ORG}/rules/other`, RULE]],
    answers: one({ name: 'other', version: 1 }),
  },
  {
    line: 'rules check @rule.yaml',
    asks: [[`POST ${ORG}/rules/check`, RULE]],
    answers: one({ valid: true, name: 'order-paid', event: 'order.paid', problems: [] }),
    shows: ['valid  true'],
  },
  {
    line: 'rules enable order-paid',
    asks: [[`POST ${ORG}/rules/order-paid/enable`, {}]],
    answers: one(RULE_VIEW),
  },
  {
    line: 'rules disable order-paid --reason year',
    asks: [[`POST ${ORG}/rules/order-paid/disable`, { reason: 'year' }]],
    answers: one(RULE_VIEW),
  },
  {
    line: `rules preview order-paid --delivery ${ID}`,
    asks: [[`POST ${ORG}/rules/order-paid/preview`, { deliveryId: ID }]],
    answers: one(PREVIEW),
    shows: ['matched', 'customer.ensure', 'k1'],
  },
  {
    line: 'rules preview order-paid --event @event.json --document @rule.yaml',
    asks: [[`POST ${ORG}/rules/order-paid/preview`, { event: EVENT, document: RULE }]],
    answers: one(PREVIEW),
  },
  ...TEMPLATE_ROWS,
  ...BACKTEST_ROWS,
  {
    line: 'tables list',
    asks: [`GET ${ORG}/tables`],
    answers: [listed({ name: 'category', entries: { a: '1' } })],
    shows: ['category', 'a=1'],
  },
  {
    line: 'tables show category',
    asks: [`GET ${ORG}/tables/category`],
    answers: one({ name: 'category', entries: { 'online-sales': '1.1.01' } }),
    shows: ['online-sales=1.1.01'],
  },
  {
    line: 'tables put @table.yaml --reason new',
    asks: [[`PUT ${ORG}/tables/category`, { entries: { 'online-sales': '1.1.01' }, reason: 'new' }]],
    answers: one({ name: 'category', entries: {} }),
  },
  {
    line: 'deliveries list --state dead --source shopify --topic orders/paid --business-key loja/order/1 --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --limit 2 --after x',
    asks: [
      `GET ${ORG}/deliveries?state=dead&source=shopify&topic=orders%2Fpaid&businessKey=loja%2Forder%2F1&from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z&limit=2&after=x`,
    ],
    answers: [listed(DELIVERY)],
    shows: [ID, 'no category'],
  },
  {
    line: `deliveries show ${ID}`,
    asks: [`GET ${ORG}/deliveries/${ID}`],
    answers: one({ ...DELIVERY, body: { redacted: true, text: '{\n "id": 1\n}' }, runs: [] }),
    shows: ['redacted=true', '   "id": 1'],
  },
  {
    line: `deliveries show ${ID} --raw`,
    asks: [`GET ${ORG}/deliveries/${ID}?body=raw`],
    answers: one(DELIVERY),
  },
  {
    line: `deliveries replay ${ID} --dry-run`,
    asks: [[`POST ${ORG}/deliveries/${ID}/replay`, { dryRun: true }]],
    answers: one(REPLAY),
    shows: ['missing', 'k2'],
  },
  {
    line: `deliveries replay ${ID} --yes --reason rule`,
    asks: [
      [`POST ${ORG}/deliveries/${ID}/replay`, { dryRun: true }],
      [`POST ${ORG}/deliveries/${ID}/replay`, { dryRun: false, reason: 'rule' }],
    ],
    answers: [{ body: REPLAY }, { body: { ...REPLAY, dryRun: false, queued: true } }],
    shows: ['queued   true'],
  },
  {
    line: `deliveries discard ${ID} --reason test`,
    asks: [[`POST ${ORG}/deliveries/${ID}/discard`, { reason: 'test' }]],
    answers: [NOTHING],
  },
  {
    line: 'dead-letters list --source shopify',
    asks: [`GET ${ORG}/dead-letters?source=shopify`],
    answers: [listed(DELIVERY)],
    shows: ['no category'],
  },
  {
    line: `dead-letters retry ${ID} --reason mended`,
    asks: [[`POST ${ORG}/dead-letters/${ID}/retry`, { reason: 'mended' }]],
    answers: [NOTHING],
  },
  {
    line: `dead-letters discard ${ID} --reason test`,
    asks: [[`POST ${ORG}/dead-letters/${ID}/discard`, { reason: 'test' }]],
    answers: [NOTHING],
  },
  {
    line: 'dead-letters retry-all --source shopify --from 2026-11-20T00:00:00Z --reason mended --yes',
    asks: [
      [
        `POST ${ORG}/dead-letters/retry`,
        { filter: { source: 'shopify', from: '2026-11-20T00:00:00Z' }, reason: 'mended', dryRun: true },
      ],
      [
        `POST ${ORG}/dead-letters/retry`,
        { filter: { source: 'shopify', from: '2026-11-20T00:00:00Z' }, reason: 'mended', dryRun: false },
      ],
    ],
    answers: [{ body: { matched: 3, retried: 0 } }, { body: { matched: 3, retried: 3 } }],
    shows: ['retried  3'],
  },
  {
    line: 'dead-letters retry-all --everything --reason mended --dry-run',
    asks: [[`POST ${ORG}/dead-letters/retry`, { filter: {}, reason: 'mended', dryRun: true }]],
    answers: one({ matched: 3, retried: 0 }),
    shows: ['matched  3'],
  },
  {
    line: 'effects list --state applied',
    asks: [`GET ${ORG}/effects?state=applied`],
    answers: [listed(EFFECT)],
    shows: ['registerReceipt'],
  },
  {
    line: `effects show ${ID}`,
    asks: [`GET ${ORG}/effects/${ID}`],
    answers: one({ ...EFFECT, tries: [{ number: 1, outcome: 'timeout' }] }),
    shows: ['tries', 'timeout'],
  },
  {
    line: `effects adopt ${ID} --record ${ID} --reason found`,
    asks: [[`POST ${ORG}/effects/${ID}/adopt`, { recordId: ID, reason: 'found' }]],
    answers: [NOTHING],
  },
  {
    line: `effects repeat ${ID} --reason lost`,
    asks: [[`POST ${ORG}/effects/${ID}/repeat`, { reason: 'lost' }]],
    answers: [NOTHING],
  },
  {
    line: `effects abandon ${ID} --reason gone`,
    asks: [[`POST ${ORG}/effects/${ID}/abandon`, { reason: 'gone' }]],
    answers: [NOTHING],
  },
  ...DECISION_ROWS,
  ...PRIVACY_ROWS,
  ...COMPLETENESS_ROWS,
  ...BOOKS_ROWS,
  {
    line: `attention resolve ${ID} --reason test`,
    asks: [[`POST ${ORG}/attention/${ID}/resolve`, { reason: 'test' }]],
    answers: [NOTHING],
  },
  {
    line: 'attention list',
    asks: [`GET ${ORG}/attention`],
    answers: [listed({ id: ID, value: '3.00', detail: 'left over' })],
    shows: ['3.00', 'left over'],
  },
  {
    line: 'audit list --action key.create --subject s --actor a --from f --to t',
    asks: [`GET ${ORG}/audit?action=key.create&subject=s&actor=a&from=f&to=t`],
    answers: [listed({ at: '2026-11-20T12:00:00.000Z', action: 'key.create', reason: 'new' })],
    shows: ['key.create', 'new'],
  },
  {
    line: 'import @orders.ndjson --source main/loja --topic orders/updated --from-line 2 --reason "an outage"',
    asks: [
      [
        `POST ${ORG}/sources/loja/import?topic=orders%2Fupdated&reason=an+outage&line=2`,
        '{"id":2}\n\n{"id":3}',
      ],
    ],
    answers: [{ body: { lines: 2, stored: 1, duplicates: 1, refused: 0, ignored: 0, problems: [] } }],
    shows: ['stored', 'duplicates', 'refused', 'ignored'],
  },
  {
    line: 'send --source main/standard --provider shopify --fixture @event.json --topic orders/paid --id d-1 --secret-env SHOP_SECRET --times 2',
    asks: [
      ['POST /hooks/main/standard', EVENT],
      ['POST /hooks/main/standard', EVENT],
    ],
    answers: [{ body: { delivery: ID, duplicate: false } }, { body: { delivery: ID, duplicate: true } }],
    shows: ['duplicate', 'false', 'true', ID],
  },
];
