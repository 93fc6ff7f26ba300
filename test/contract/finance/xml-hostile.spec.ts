import fc from 'fast-check';
import { FinanceClient, xmlRefusalOf } from '../../support/finance-client';
import { HOSTILE_XML } from '../../support/hostile-xml';
import type { TestingApp } from '../../support/testing-app';
import { propertyRuns } from '../../support/property-runs';
import { anyText } from '../../support/any-text';

let testing: TestingApp;
let client: FinanceClient;
let before: number;

const customers = (): Promise<number> => testing.database.prisma.stakeholder.count();

beforeAll(async () => {
  testing = await FinanceClient.serve();
  client = await FinanceClient.of(testing);
  before = await customers();
});
afterAll(() => testing.close());

it.each(HOSTILE_XML.map(({ name, body }) => [name, body] as const))(
  'refuses %s and writes nothing',
  async (_name, body) => {
    expect(xmlRefusalOf(await client.sendXml('post', '/customers', body))).toMatch(
      /^(400 malformed-request|413 body-too-large)$/,
    );
    expect(await customers()).toBe(before);
  },
);

it.each(['text/xml; charset=utf-16', 'application/xml; charset=iso-8859-1'])(
  'refuses the media type %s and writes nothing',
  async (type) => {
    const reply = await client.sendXml('post', '/customers', '<c><name>x</name></c>', { type });
    expect(xmlRefusalOf(reply)).toBe('415 media-type-unsupported');
    expect(await customers()).toBe(before);
  },
);

it('logs no failure of its own for any of it, nor any part of it', () => {
  const lines = testing.log.join('\n');
  expect(lines).not.toContain('unexpected failure');
  expect(lines).not.toContain('passwd');
});

it('never breaks, whatever the bytes', async () => {
  const bodies = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '<c>',
            '</c>',
            '<name>',
            '</name>',
            '<address>',
            '<number>1</number>',
            '&amp;',
            '<!--',
          ),
          anyText({ maxLength: 5 }),
        ),
        { maxLength: 12 },
      )
      .map((parts) => Buffer.from(`<c>${parts.join('')}</c>`)),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status } = await client.sendXml('post', '/customers', body);
      expect([200, 400, 422]).toContain(status);
    }),
    { numRuns: propertyRuns(40) },
  );
});
