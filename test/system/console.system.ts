import { rmSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { signedHeaders } from '../../src/sources/registry';
import { cpfNumber } from '../support/documents';
import { SCREENSHOTS, type Window } from './console/browser';
import { ConsoleService } from './console/console-service';
import { hostileOrder, HOSTILE } from './console/hostile-order';
import { OpenWindows } from './console/open-windows';
import { everyPage } from './console/pages';
import { giveReason, tabTo } from './console/walks';

/** Elements that the console does not use: whoever finds one has found what a shop sent. */
const FOREIGN = 'img, script, iframe, object, embed, style';

let service: ConsoleService;
let windows: OpenWindows;

beforeAll(async () => {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  windows = await OpenWindows.begin();
  service = await ConsoleService.start();
});
afterEach(() => windows.closeAll());
afterAll(async () => {
  await windows.end();
  await service.remove();
});

type Options = Parameters<OpenWindows['opened']>[1];

const window = (options?: Options): Promise<Window> => windows.opened(service.api.url, options);
const signedIn = (options?: Options): Promise<Window> =>
  windows.signedIn(service.api.url, service.operatorsKey, options);

async function makeKey(): Promise<{ id: string; key: string }> {
  return (await service.api.admin('POST', 'keys', { name: 'office', scopes: ['admin'] })) as {
    id: string;
    key: string;
  };
}

describe('signing in to the console', () => {
  it('is refused with a wrong key, and says so; with a right one the page is there', async () => {
    const { page, complaints } = await window();
    await page.goto('/console/main/deliveries');
    await page.locator('input[type=password]').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('The API key is not valid');
    await page.locator('input[type=password]').fill(service.operatorsKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['ponte_session', true, 'Strict'],
    ]);
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(service.operatorsKey);
    expect(complaints).toEqual([]);
  });

  it('lasts until the key is revoked, or somebody signs out', async () => {
    const { id, key } = await makeKey();
    const first = await window();
    await first.signIn(key);
    await service.api.admin('DELETE', `keys/${id}`);
    await first.page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await first.page.reload();
    await first.page.locator('input[type=password]').waitFor();
    const second = await signedIn();
    await second.page.getByRole('button', { name: 'Sign out' }).click();
    await second.page.locator('input[type=password]').waitFor();
    const again = await second.page.request.get('/admin/session');
    expect(again.status()).toBe(401);
  });
});

describe('while Ponte cannot be reached', () => {
  it('goes on to show webhooks as they arrive once it can be', async () => {
    const window = await signedIn();
    const { page } = window;
    let refused = 0;
    await page.route('**/admin/organizations/main/live', (route) => {
      refused += 1;
      return refused > 2 ? route.continue() : route.fulfill({ status: 502, body: 'Bad Gateway' });
    });
    await window.show('/deliveries');
    while (refused <= 2) await sleep(50);
    const key = await sendInvalid(75);
    await page.getByText(key).first().waitFor();
    expect(window.complaints).toEqual([]);
  });

  it('does not ask somebody to sign in who is signed in', async () => {
    const { page } = await signedIn();
    await page.route('**/admin/session', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
    await page.reload();
    await page.getByRole('alert').waitFor();
    expect(await page.locator('input[type=password]').count()).toBe(0);
    await page.unroute('**/admin/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('main#content').waitFor();
  });

  it('does not say that somebody is signed out who is not', async () => {
    const { page } = await signedIn();
    await page.route('**/admin/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    await page.unroute('**/admin/session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[type=password]').waitFor();
    await page.reload();
    await page.locator('input[type=password]').waitFor();
  });
});

describe('every page of the console', () => {
  it.each([
    { language: 'en', theme: 'light' },
    { language: 'pt-BR', theme: 'dark' },
    { language: 'pt-BR', theme: 'light' },
    { language: 'en', theme: 'dark' },
  ] as const)('has no barrier and breaks no rule of its policy: $language, $theme', async (look) => {
    const shown = await signedIn(look);
    const wrong: unknown[] = [];
    for (const { name, path } of await everyPage(service.api)) {
      await shown.show(path);
      const barriers = await shown.barriers();
      if (barriers.length > 0) wrong.push([path, barriers]);
      await shown.screenshot(`${name}-${look.language}-${look.theme}`);
    }
    expect(wrong).toEqual([]);
    expect(shown.complaints).toEqual([]);
  });

  it('says that it is loading until what it shows has been read', async () => {
    const { page } = await signedIn();
    const held: (() => void)[] = [];
    const hold = async (route: Route): Promise<void> => {
      if (route.request().url().endsWith('/live')) return route.continue();
      await new Promise<void>((resolve) => held.push(resolve));
      // The page that asked may have been left.
      return route.continue().catch(() => undefined);
    };
    await page.route('**/admin/organizations/main/**', hold);
    // All that a new rule waits for.
    await page.route('**/console/assets/open-editor-*', hold);
    const silent: string[] = [];
    for (const { path } of await everyPage(service.api)) {
      await page.goto(`/console/main${path}`);
      await page.locator('main#content h1').first().waitFor();
      await page
        .locator('main#content .loading')
        .first()
        .waitFor()
        .catch(() => silent.push(path));
    }
    for (const release of held) release();
    expect(silent).toEqual([]);
  });

  it('shows what a shop sends as text, whatever it is', async () => {
    for (const withIds of [true, false]) {
      const body = Buffer.from(JSON.stringify(hostileOrder(withIds)));
      const signing = { topic: 'order.paid', body, secret: service.secrets.standard, sentAt: new Date() };
      const headers = signedHeaders('standard-webhooks', { ...signing, id: `hostile-${withIds}` });
      expect((await service.api.hook('standard', headers, body)).status).toBe(200);
    }
    while (await service.api.hasDelivery('waiting')) await sleep(50);
    const key = 'standard/order/1777';
    const { summary } = (await service.api.admin('GET', `timeline?key=${key}`)) as {
      summary: { customer: { id: string } };
    };
    const theirs = [`/orders?key=${key}`, `/customers/${summary.customer.id}`];
    const paths = [...(await everyPage(service.api)).map(({ path }) => path), ...theirs];
    const shown = await signedIn();
    const seen = new Set<string>();
    for (const path of paths) {
      await shown.show(path);
      const elements = await shown.page.locator(`main :is(${FOREIGN})`).count();
      const text = (await shown.page.locator('main').textContent()) ?? '';
      expect([path, elements]).toEqual([path, 0]);
      if (text.includes(HOSTILE)) seen.add(path);
    }
    expect([...seen]).toEqual(expect.arrayContaining(theirs));
    expect(shown.complaints).toEqual([]);
  });
});

/** An order with a document that is none: no customer can be made, and the webhook is for a person. */
function sendInvalid(number: number): Promise<string> {
  return send({ number, total: '77.70', name: 'Rui Castro', document: '123.456.789-00' });
}

/** An order that is paid and booked, sent by its shop so many times. */
function sendPaid(number: number, times: number): Promise<string> {
  return send({ number, total: '88.80', name: 'Lia Campos', document: cpfNumber(number) }, times);
}

/** @returns the order's business key */
async function send(
  order: { number: number; total: string; name: string; document: string },
  times = 1,
): Promise<string> {
  const { number } = order;
  const id = 9_900_000_000_000 + number;
  const body = shopifyOrder({ ...order, id, email: `buyer${number}@example.com`, instalments: 1 }, true);
  for (let time = 1; time <= times; time += 1) await service.sendShopify('orders/paid', `w-${number}`, body);
  return `shopify/order/${id}`;
}

async function putRule(page: Page, document: string): Promise<void> {
  const reply = await page.request.put('/admin/organizations/main/rules/order-paid', {
    headers: { authorization: `Bearer ${service.operatorsKey}`, 'content-type': 'application/yaml' },
    data: document,
  });
  expect(reply.status()).toBe(200);
}

/** The newest entries of the audit log. */
async function audited(): Promise<{ action: string; reason: string | null }[]> {
  const { items } = (await service.api.admin('GET', 'audit?limit=5')) as {
    items: { action: string; reason: string | null }[];
  };
  return items;
}

describe('what an operator does in the console', () => {
  it('by mouse: sees that something is wrong, why, mends it, and sees that it is done', async () => {
    const key = await sendInvalid(71);
    const { page, complaints } = await signedIn();
    await page.getByRole('navigation').getByRole('link', { name: 'Needs a person' }).click();
    const need = page.getByRole('listitem').filter({ hasText: key });
    await need.first().waitFor();
    expect(await need.first().textContent()).toContain('document');
    // The rule is mended in such a way that an order without a document that is valid is booked all the same.
    const rule = (await service.api.admin('GET', 'rules/order-paid')) as { document: string };
    const mended = rule.document.replace('      document: ${order.customer.document}\n', '');
    expect(mended).not.toBe(rule.document);
    await putRule(page, mended);
    await need.first().getByRole('button', { name: 'Work on it again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'See what would be done' }).click();
    await page.getByRole('dialog').getByText('Would be done').waitFor();
    await giveReason(page, 'Work on it again', 'the document is left out');
    await page.getByText('The webhook waits to be worked on again.').waitFor();
    await putRule(page, rule.document);
    await page.goto(`/console/main/orders?key=${encodeURIComponent(key)}`);
    await page.getByText('R$77.70').first().waitFor();
    expect(await audited()).toEqual(
      expect.arrayContaining([expect.objectContaining({ reason: 'the document is left out' })]),
    );
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en', 3, 'It was sent again 2 times, last on', 'Connectors can read receipt.registered'],
    ['pt-BR', 2, 'Foi enviado de novo uma vez, em', 'Os conectores podem ler receipt.registered'],
  ] as const)(
    'in %s: sees how often a webhook was sent again, and what connectors can read of an order',
    async (language, times, again, told) => {
      const key = await sendPaid(80 + times, times);
      const { page, complaints } = await signedIn({ language });
      await page.goto(`/console/main/orders?key=${encodeURIComponent(key)}`);
      await page.getByText(told).first().waitFor();
      await page.getByText(again).waitFor();
      await page.getByRole('link', { name: 'shopify orders/paid' }).click();
      await page.getByRole('heading', { name: 'Webhook orders/paid' }).waitFor();
      await page.getByText(again).waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('by keyboard alone: finds an order, gives its webhook up, and reads it in Portuguese', async () => {
    const key = await sendInvalid(72);
    const { page, complaints } = await signedIn();
    await page.keyboard.press('/');
    // As the shop shows it.
    await page.keyboard.type('#72');
    await page.keyboard.press('Enter');
    const found = page.getByRole('search').getByRole('link').first();
    await found.waitFor();
    await tabTo(page, found);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Life of ${key}` }).waitFor();
    await page.getByText('Number at the shop').waitFor();
    const discard = page.getByRole('button', { name: 'Give it up' });
    await tabTo(page, discard);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('a test order');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('given up', { exact: true }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('heading', { name: 'Books', level: 1 }).waitFor();
    const language = page.getByLabel('Language');
    await tabTo(page, language);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Financeiro', level: 1 }).waitFor();
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const before = await ground();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    const light = await ground();
    await page.keyboard.press('ArrowDown');
    // The device is set to light colours.
    expect([light, (await ground()) === before]).toEqual([before, false]);
    expect(await audited()).toEqual(
      expect.arrayContaining([
        { ...(await audited())[0], action: 'delivery.discard', reason: 'a test order' },
      ]),
    );
    expect(complaints).toEqual([]);
  });

  it.each(['By source', 'By account', 'By gateway'])(
    'goes from the money of a day to the payments that it is made of: %s',
    async (title) => {
      const window = await signedIn();
      const { page } = window;
      await window.show('?date=2026-03-10');
      const row = page.getByRole('table', { name: title }).locator('tbody tr').first();
      const payments = Number(await row.locator('td').nth(1).textContent());
      const value = await row.locator('td').nth(2).textContent();
      expect(payments).toBeGreaterThan(0);
      await row.getByRole('link').click();
      await page.getByRole('heading', { name: 'Payments of', level: 1 }).waitFor();
      await window.isThere();
      const listed = page.getByRole('table').locator('tbody tr');
      expect(await listed.count()).toBe(payments);
      const amounts = await listed.locator('td:last-child').allTextContents();
      const cents = (text: string | null) => Number(text?.replace(/\D/g, ''));
      expect(amounts.reduce((sum, amount) => sum + cents(amount), 0)).toBe(cents(value));
      await listed.first().getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Life of', level: 1 }).waitFor();
      expect(window.complaints).toEqual([]);
    },
  );

  it('reads on in what differs of a period, from where the comparison ended its list', async () => {
    const keys: string[] = [];
    for (const number of [91, 92, 93]) keys.push(await sendInvalid(number));
    const window = await signedIn();
    const { page } = window;
    const asked: string[] = [];
    // As if there were many: one at a time.
    await page.route('**/completeness**', (route) => {
      const url = route.request().url().replace('limit=200', 'limit=1');
      asked.push(new URL(url).pathname.split('/').slice(4).join('/'));
      return route.continue({ url });
    });
    await window.show('/completeness?source=shopify&from=2026-09-15&to=2026-12-15');
    const listed = page.locator('.entities > li');
    const more = page.getByRole('button', { name: 'Show more' });
    for (let count = 1; await more.isVisible(); count += 1) {
      await more.click();
      await listed.nth(count).waitFor();
    }
    for (const key of keys) expect(await listed.filter({ hasText: key }).count()).toBe(1);
    const reports = asked.filter((path) => path === 'completeness');
    expect([reports.length, asked.length >= 3]).toEqual([1, true]);
    expect(window.complaints).toEqual([]);
  });

  it('changes a rule: sees what is wrong as it is written, compares a month, puts it into force and back', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/rules/order-paid');
    const editor = page.getByRole('textbox', { name: 'Document of the rule' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nnonsense: 1');
    await page.getByText('One problem').waitFor();
    for (let letter = 0; letter < 12; letter += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('# Looked at in the console.');
    await page.getByText('Nothing is wrong with it.').waitFor();
    await page.getByRole('tab', { name: 'Try on a period' }).click();
    await page.getByLabel('Received from').fill('2020-01-01');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Compared is what you wrote.').waitFor({ timeout: 120_000 });
    await page.getByRole('tab', { name: 'Document' }).click();
    await page.getByRole('button', { name: 'Put into force' }).click();
    await giveReason(page, 'Put into force', 'looked at');
    await page.getByText('The rule order-paid is in force as you wrote it.').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await giveReason(page, 'Disable', 'stock-taking');
    await page.getByRole('button', { name: 'Enable' }).click();
    await giveReason(page, 'Enable', 'stock-taking is over');
    await page.getByText('The rule order-paid acts from now on.').waitFor();
    const rule = (await service.api.admin('GET', 'rules/order-paid')) as {
      document: string;
      enabled: boolean;
    };
    expect([rule.document.includes('# Looked at in the console.'), rule.enabled]).toEqual([true, true]);
    expect(window.complaints).toEqual([]);
  });

  it('says when somebody else put a rule into force meanwhile, and puts its own only when asked again', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/rules/order-paid');
    await page.getByRole('textbox', { name: 'Document of the rule' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n# One.');
    await page.getByText('Nothing is wrong with it.').waitFor();
    const before = (await service.api.admin('GET', 'rules/order-paid')) as { document: string };
    await putRule(page, `${before.document}\n# Other.\n`);
    await page.getByRole('button', { name: 'Put into force' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why you do it').fill('both were at it');
    const put = dialog.getByRole('button', { name: 'Put into force', exact: true });
    await put.click();
    await dialog.getByText('was put into force meanwhile').waitFor();
    const inForce = async () =>
      ((await service.api.admin('GET', 'rules/order-paid')) as { document: string }).document;
    expect(await inForce()).toContain('# Other.');
    await put.click();
    await page.getByText('The rule order-paid is in force as you wrote it.').waitFor();
    expect([(await inForce()).includes('# One.'), (await inForce()).includes('# Other.')]).toEqual([
      true,
      false,
    ]);
    expect(window.complaints).toEqual([]);
  });

  it('sees a webhook as it arrives, without asking for it', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/deliveries');
    const key = await sendInvalid(74);
    await page.getByText(key).first().waitFor();
    expect(window.complaints).toEqual([]);
  });

  it('rotates the secret of a source, and webhooks with either are taken until the old one is retired', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/sources/shopify');
    await page.getByRole('button', { name: 'Add a secret' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Secret, as the shop has it')
      .fill('the-next-secret-of-the-shop');
    await giveReason(page, 'Add a secret', 'rotation');
    await page.getByText('2 secrets are valid').waitFor();
    const send = async (secret: string, id: string) => {
      const order = { id: 9_900_000_100_000, number: 73, total: '10.00', name: 'Ana', instalments: 1 };
      const body = shopifyOrder({ ...order, document: '529.982.247-25', email: 'ana@example.com' }, false);
      const message = { topic: 'orders/create', body, id, secret, sentAt: new Date() };
      return (await service.api.hook('shopify', signedHeaders('shopify', message), body)).status;
    };
    expect([
      await send(service.secrets.shopify, 'old'),
      await send('the-next-secret-of-the-shop', 'new'),
    ]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Retire the old ones' }).click();
    await giveReason(page, 'Retire the old ones', 'rotation');
    await page.getByText('One secret is valid.').waitFor();
    expect([
      await send(service.secrets.shopify, 'old 2'),
      await send('the-next-secret-of-the-shop', 'new 2'),
    ]).toEqual([401, 200]);
    expect(window.complaints).toEqual([]);
  });
});
