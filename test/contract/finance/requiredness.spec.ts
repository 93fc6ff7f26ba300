import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'supertest';
import { SERVED, type Operation } from '../../../src/finance/api/operations/operations';
import { describeApi } from '../../../src/ops/openapi';
import { openBooks, type Names } from '../../support/books-of-one';
import { DescribedBodies } from '../../support/described-replies';
import type { Schema } from '../../support/described-xml';
import { cpfNumber } from '../../support/documents';
import { FinanceClient, refusalOf } from '../../support/finance-client';
import { CASES } from '../../support/operation-cases';
import type { WritingId } from '../../support/writing-requests';
import type { TestingApp } from '../../support/testing-app';

type Json = Record<string, unknown>;

const DATE = '2026-03-10T00:00:00-03:00';

let testing: TestingApp;
let document: OpenAPIObject;
let bodies: DescribedBodies;
let customers = 0;

beforeAll(async () => {
  testing = await FinanceClient.serve();
  document = describeApi(testing.app, 'test');
  bodies = new DescribedBodies(document);
});
afterAll(() => testing.close());

const direct = (names: Names, categoryId: string): Json => ({
  accountId: names.account,
  stakeholderId: names.customer,
  categoryId,
  costCenterId: names.costCenter,
  value: 1,
  date: DATE,
  description: 'Counter',
  reference: 'r-1',
  isFlag: true,
});

const schedule = (names: Names): Json => ({
  stakeholderId: names.customer,
  description: 'Order 1',
  reference: 'order-1',
  value: 3,
  scheduleDate: DATE,
  dueDate: DATE,
  accrualDate: DATE,
  categoryId: names.categoryIn,
  costCenterId: names.costCenter,
  isFlagged: true,
});

const account = (names: Names): Json => ({
  bankId: names.bank,
  name: 'Current account',
  openBalance: 1.5,
  dateOfOpenBalance: '2020-01-01T00:00:00-03:00',
  bankAgency: '0001',
  bankAccount: '12345',
  bankAccountVerificationNumber: 6,
  type: 'current',
  virtualAccountDetails: {
    exibitionName: 'Shop',
    cpfCnpj: cpfNumber(1),
    name: 'Shop',
    businessDescription: 'Bread',
    responsibleName: 'Lia',
    responsibleCpf: cpfNumber(2),
    phone: '11 5555',
    address: { address: 'Rua A, 1', city: 'São Paulo', state: 'SP', cep: '01310100' },
    accountToTransfer: {
      type: 'current',
      bank: '341',
      agency: '0001',
      number: '1',
      accountWithDrawId: names.otherAccount,
    },
    configuration: {
      bankSlip: { enableFines: true, enableInterestPerDay: true, latePaymentFinePercent: 2 },
      tax: { stakeholderId: names.customer, categoryId: names.categoryOut },
    },
  },
});

const customer = (): Json => ({
  name: 'Lia',
  email: 'lia@example.com',
  phone: '11 5555',
  document: { number: cpfNumber((customers += 1)) },
  communication: { contactName: 'Lia', email: 'l@example.com', phone: '1', cellPhone: '2', webSite: 'x' },
  address: {
    line1: 'Rua A',
    line2: 'Fundos',
    number: 1,
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    zipCode: '01310-100',
    country: 'Brasil',
    ibgeCode: '3550308',
  },
  bankAccountInformation: { bank: '341', agency: '0001', accountNumber: '1' },
  companyInformation: { companyName: 'Lia ME', municipalInscription: '1' },
});

/** Bodies that are taken and hold, between them, every field that is described. */
const WHOLE: Record<WritingId, (names: Names) => Json[]> = {
  'customers.create': () => [customer()],
  'customers.update': () => [customer()],
  'schedules.createCredit': (names) => [
    ...[
      { type: 'ByOccurrences', occurrences: 2 },
      { type: 'ByDate', endDate: DATE },
    ].map((end) => ({ ...schedule(names), recurrence: { intervalType: 'Year', interval: 1, ...end } })),
    {
      ...schedule(names),
      instalment: [
        { value: 1, dueDate: DATE, description: 'the first' },
        { value: 2, dueDate: DATE, description: 'the last' },
      ],
    },
  ],
  'payments.register': (names) => [direct(names, names.categoryOut)],
  'receipts.register': (names) => [direct(names, names.categoryIn)],
  'receipts.registerForSchedule': (names) => [
    {
      scheduleId: names.receivable,
      accountId: names.account,
      date: DATE,
      identifier: 'pix-1',
      value: 1,
      payingType: 'pix',
    },
  ],
  'costCenters.update': (names) => [
    { costCenterId: names.costCenter, description: 'Shop', externalCode: 'shop' },
  ],
  'accounts.transfer': (names) => [
    { originAccountId: names.account, destinyAccountId: names.otherAccount, date: DATE, value: 1 },
  ],
  'payments.remove': (names) => [{ paymentId: names.payment, scheduleId: names.payable }],
  'accounts.update': (names) => [{ accountId: names.account, ...account(names) }],
  'accounts.create': (names) => [account(names)],
};

const WRITING = SERVED.filter(({ effect }) => effect !== 'read').map(
  (row) => [`${row.method} ${row.path}`, row] as const,
);

/** Where only the form of a body matters. */
const NO_NAMES: Names = {
  customer: '',
  account: '',
  otherAccount: '',
  bank: '',
  categoryIn: '',
  categoryOut: '',
  costCenter: '',
  receivable: '',
  payable: '',
  payment: '',
};

const wholeOf = (row: Operation, names = NO_NAMES): Json[] => WHOLE[row.id as WritingId](names);

it.each(WRITING)('the bodies of %s that are tried hold every field that is described', (_name, row) => {
  const tried = wholeOf(row).flatMap((body) => pointersIn(body).map(withoutIndex));
  expect([...new Set(tried)].sort()).toEqual(described(schemaOf(row)).sort());
});

/** Every field of an operation's first body; of the others what is new, and what lies within objects. */
function fieldsOf(row: Operation): { index: number; pointer: string }[] {
  const whole = wholeOf(row);
  const first = new Set(pointersIn(whole[0]));
  return whole.flatMap((body, index) =>
    pointersIn(body)
      .filter((pointer) => index === 0 || !first.has(pointer) || pointer.lastIndexOf('/') > 0)
      .map((pointer) => ({ index, pointer })),
  );
}

const FIELDS = WRITING.flatMap(([name, row]) =>
  fieldsOf(row).map(({ index, pointer }) => [name, pointer, row, index] as const),
);

describe.each([
  ['left out', undefined],
  ['null', null],
])('a field that is %s', (_what, value) => {
  it.each(FIELDS)(
    '%s %s is refused where the description says so, and nowhere else',
    async (_name, pointer, row, index) => {
      const { fits, reply } = await attempt(row, index, (body) => changed(body, pointer, value));
      const outcome = reply.status < 400 ? String(reply.status) : refusalOf(reply);
      expect(outcome).toBe(fits ? String(row.status) : `422 validation-failed ${pointer}`);
    },
  );
});

interface Desk {
  names: Names;
  key: string;
}

let shared: Promise<Desk> | undefined;

async function openDesk(): Promise<Desk> {
  const { company, names } = await openBooks(testing, 'OWN');
  const { key } = await testing.makeKey(company.organization, 'finance:write');
  return { names, key };
}

/** Sends one of an operation's whole bodies, changed. A payment can be taken back once: each try has its own. */
async function attempt(
  row: Operation,
  index: number,
  change: (body: Json) => Json,
): Promise<{ fits: boolean; reply: Response }> {
  const { names, key } = await (row.effect === 'reverse' ? openDesk() : (shared ??= openDesk()));
  const body = change(wholeOf(row, names)[index]!);
  const { path } = CASES[row.id as WritingId].request(names);
  const reply = await testing.http[row.method.toLowerCase() as 'post'](`/v1${path}`)
    .set({ apitoken: key, 'content-type': 'application/json' })
    .send(JSON.stringify(body));
  return { fits: bodies.misfit(body, ...placeOf(row)) === undefined, reply };
}

function placeOf(row: Operation): string[] {
  const path = Object.keys(document.paths).find(
    (each) => each.replace(/\{\w+\}/g, '{}') === `/v1${row.path.replace(/\{\w+\}/g, '{}')}`,
  )!;
  const method = row.method.toLowerCase();
  return ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
}

function schemaOf(row: Operation): Schema {
  return placeOf(row).reduce<unknown>((node, part) => (node as Json)[part], document) as Schema;
}

/** Places of all fields of a schema; members of lists are `*`. */
function described(schema: Schema, place = ''): string[] {
  const some = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const name = some.$ref?.split('/').at(-1);
  const target = name === undefined ? some : (document.components!.schemas![name] as Schema);
  if (target.items) return described(target.items, `${place}/*`);
  return Object.entries(target.properties ?? {}).flatMap(([field, child]) => [
    `${place}/${field}`,
    ...described(child, `${place}/${field}`),
  ]);
}

const withoutIndex = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** JSON pointers to all fields of a body; none to a member of a list itself. */
function pointersIn(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pointersIn(item, `${place}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    `${place}/${name}`,
    ...pointersIn(child, `${place}/${name}`),
  ]);
}

function changed(body: Json, pointer: string, value: null | undefined): Json {
  const copy = structuredClone(body);
  const parts = pointer.split('/').slice(1);
  const holder = parts.slice(0, -1).reduce<unknown>((node, part) => (node as Json)[part], copy) as Json;
  if (value === undefined) Reflect.deleteProperty(holder, parts.at(-1)!);
  else holder[parts.at(-1)!] = value;
  return copy;
}
