import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformFileSync } from '@swc/core';
import { FinanceClient } from '../support/finance-client';
import { StubFront } from '../support/stub-front';
import { StubService } from '../support/stub-service';
import type { TestingApp } from '../support/testing-app';

const EXAMPLES = join(__dirname, '../../examples');
const run = promisify(execFile);

interface Result {
  accounts: string[];
  customer: string;
  schedule: string;
  open: { description: string; dueDate: string; openValue: number }[];
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-clients-'));
  const options = { module: { type: 'commonjs' }, sourceMaps: false } as const;
  writeFileSync(join(folder, 'client.js'), transformFileSync(join(EXAMPLES, 'client.ts'), options).code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CLIENTS: readonly [name: string, command: () => [string, string]][] = [
  ['client.py', () => ['python3', join(EXAMPLES, 'client.py')]],
  ['client.ts', () => [process.execPath, join(folder, 'client.js')]],
];

async function result(command: [string, string], url: string, key: string, reference: string) {
  const [program, file] = command;
  const wanted = ['Padaria Pão Quente', '12.ABC.345/01DE-35', reference, '100.01', '2099-01-31'];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    PONTE_URL: url,
    PONTE_KEY: key,
  };
  const { stdout } = await run(program, [file, ...wanted], { env, encoding: 'utf8' });
  return JSON.parse(stdout) as Result;
}

describe.each([
  ['its own books', undefined],
  ['a finance service elsewhere', 'json'],
] as const)('the examples of clients, on %s', (_backend, loop) => {
  let testing: TestingApp;

  beforeAll(async () => {
    testing = await FinanceClient.serve({}, loop);
  });
  afterAll(() => testing.close());

  it.each(CLIENTS)(
    '%s writes, receives and lists, and does so once when it is run again',
    async (_name, command) => {
      const { company, key } = await FinanceClient.of(testing);
      const url = await testing.app.getUrl();
      const first = await result(command(), url, key, 'order-1');
      expect(first.accounts.length).toBeGreaterThan(0);
      expect(first.open).toEqual([
        { description: 'order-1 - 2/3', dueDate: '2099-02-28', openValue: 33.34 },
        { description: 'order-1 - 3/3', dueDate: '2099-03-31', openValue: 33.33 },
      ]);
      expect(await result(command(), url, key, 'order-1')).toEqual(first);
      const second = await result(command(), url, key, 'order-2');
      expect(second.customer).toBe(first.customer);
      expect(second.open).toHaveLength(4);
      const { prisma } = testing.database;
      const own = { where: { organizationId: company.organization.id } };
      expect(await prisma.stakeholder.count(own)).toBe(1);
      expect(await prisma.schedule.count(own)).toBe(6);
      await company.verify();
    },
  );
});

it.each(CLIENTS)(
  '%s takes no amount that has parts of a cent, and asks for nothing',
  async (_name, command) => {
    const service = await StubService.start();
    const [program, file] = command();
    const env = { PATH: process.env['PATH'] ?? '', PONTE_URL: service.url(), PONTE_KEY: 'k' };
    const wanted = ['Padaria', '12.ABC.345/01DE-35', 'order-1', '10.125', '2099-01-31'];
    await expect(run(program, [file, ...wanted], { env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the value 10.125 is no amount with at most two decimals'),
    });
    expect(service.requests).toEqual([]);
    await service.stop();
  },
);

it.each(CLIENTS)('%s says what is refused, and ends with a failure', async (_name, command) => {
  const service = await StubService.start();
  const testing = await StubFront.open(service.url());
  const url = await testing.app.getUrl();
  await expect(result(command(), url, 'guessed', 'order-1')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Ponte refused: 401'),
  });
  await testing.close();
  await service.stop();
});
