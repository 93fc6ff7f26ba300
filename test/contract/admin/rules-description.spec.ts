import type { OpenAPIObject } from '@nestjs/swagger';
import { readFixture } from '../../support/source-cases';
import { DescribedBodies } from '../../support/described-replies';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

const RULE = {
  rule: 'paid',
  settings: {
    gateway: { type: 'choice', of: ['pagarme', 'stone'], default: 'stone', description: 'which one' },
    days: { type: 'int', default: 1, description: 'how many' },
  },
  when: { event: 'order.paid' },
  then: [
    {
      id: 'customer',
      do: 'customer.ensure',
      with: { name: '${tables.names[order.payment.gateway]}', address: { city: '${order.customer.name}' } },
    },
  ],
};

const [EVENT] = JSON.parse(readFixture('standard-webhooks', 'expected/order-paid.json').toString()) as [
  object,
];
const REFUSED = JSON.parse(JSON.stringify(EVENT).replace('"pagarme"', '"stone"')) as object;

/** Every operation on rules, actions and tables, some of them twice: what can be null is once. */
const REQUESTS: readonly (readonly [string, string, object?])[] = [
  ['put', '/tables/{names}', { entries: { pagarme: 'Pagar.me' } }],
  ['get', '/tables/{names}'],
  ['get', '/tables'],
  ['post', '/rules/check', RULE],
  ['post', '/rules/check', { rule: 'x' }],
  ['put', '/rules/{paid}', RULE],
  ['get', '/rules/{paid}'],
  ['get', '/rules'],
  ['get', '/rules/{paid}/versions'],
  ['put', '/rules/{paid}/settings', { settings: { days: 2 } }],
  ['get', '/rules/{paid}/settings'],
  ['post', '/rules/{paid}/preview', { event: EVENT }],
  ['post', '/rules/{paid}/preview', { event: REFUSED, document: JSON.stringify(RULE) }],
  ['post', '/rules/{paid}/backtest', { from: '2026-01-01', to: '2026-01-31' }],
  ['post', '/rules/{paid}/disable'],
  ['post', '/rules/{paid}/enable', { reason: 'again' }],
  ['get', '/actions'],
  ['get', '/actions/{creditSchedule.ensure}'],
  ['get', '/rule-names'],
];

describe('the description of rules, actions and tables', () => {
  let service: TestService;
  let document: OpenAPIObject;

  beforeAll(async () => {
    service = await TestService.start();
    document = (await service.http.get('/openapi.json')).body as OpenAPIObject;
  });
  afterAll(() => service.stop());

  const described = (path: string) => `/admin/organizations/{org}${path.replace(/\{[^}]*\}/g, '{name}')}`;

  it('fits what every operation answers', async () => {
    const { slug } = await OperatorsClient.of(service);
    const bodies = new DescribedBodies(document);
    for (const [method, path, body] of REQUESTS) {
      const reply = await service.http[method as 'get'](
        `/admin/organizations/${slug}${path.replace(/[{}]/g, '')}`,
      )
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .send(body);
      const place = ['paths', described(path), method, 'responses', '200', 'content', 'application/json'];
      const misfit = bodies.misfit(reply.body, ...place, 'schema');
      expect([method, path, reply.status, misfit]).toEqual([method, path, 200, undefined]);
    }
  });

  it('names no operation that was left out here', () => {
    const asked = new Set(REQUESTS.map(([method, path]) => `${method} ${described(path)}`));
    const all = Object.entries(document.paths)
      .filter(([path]) => /^\/admin\/organizations\/\{org\}\/(rules|rule-names|actions|tables)/.test(path))
      .flatMap(([path, item]) => Object.keys(item as object).map((method) => `${method} ${path}`));
    expect([...asked].sort()).toEqual(all.sort());
  });

  it('says in which forms a rule is taken', () => {
    for (const [path, method] of [
      ['/rules/{name}', 'put'],
      ['/rules/check', 'post'],
    ] as const) {
      const operation = document.paths[described(path)]?.[method];
      const body = operation?.requestBody as { required: boolean; content: object } | undefined;
      expect([body?.required, Object.keys(body?.content ?? {})]).toEqual([
        true,
        ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain', 'application/json'],
      ]);
    }
  });
});
