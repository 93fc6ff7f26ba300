import type { Locator, Page } from 'playwright-core';
import type { Window } from './console/browser';
import { ConsoleService } from './console/console-service';
import { askBeforeLargeRefunds, refundPartly } from './console/large-refund';
import { OpenWindows } from './console/open-windows';
import { giveReason, tabTo } from './console/walks';

let service: ConsoleService;
let windows: OpenWindows;

beforeAll(async () => {
  windows = await OpenWindows.begin();
  service = await ConsoleService.startEmpty();
  await askBeforeLargeRefunds(service);
});
afterEach(() => windows.closeAll());
afterAll(async () => {
  await windows.end();
  await service.remove();
});

const DOCUMENT = '529.982.247-25';

async function signedIn(key = service.operatorsKey): Promise<Window> {
  return windows.signedIn(service.api.url, key);
}

/** A key of somebody's own: the audit log knows them by its name. */
async function keyOf(name: string): Promise<string> {
  const made = (await service.api.admin('POST', 'keys', { name, scopes: ['admin'] })) as { key: string };
  return made.key;
}

/** What waits for an approval about an order's refund. */
function approvalOf(page: Page, key: string): Locator {
  return page.getByRole('listitem').filter({ hasText: `payment/${key}` });
}

/** What the page of an order says happened, in order. */
async function storyOf(window: Window, key: string): Promise<string> {
  await window.show(`/orders?key=${encodeURIComponent(key)}`);
  return (await window.page.locator('main').innerText()).replace(/\s+/g, ' ');
}

describe('an effect that waits for an approval', () => {
  it('by mouse: is approved, and is in the books and in the life of the order', async () => {
    const key = await refundPartly(service, { id: 8_800_000_001_000, number: 1501 }, '130.00');
    const window = await signedIn();
    const { page } = window;
    expect(await storyOf(window, key)).not.toMatch(/Entry Payment/);
    await page.getByRole('navigation').getByRole('link', { name: 'Needs a person' }).click();
    const approval = approvalOf(page, key);
    await approval.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByRole('dialog').innerText()).toMatch(/made in the books, once:[\s\S]*R\$130\.00/);
    await giveReason(page, 'Approve', 'the chair came back');
    await page.getByText('It was approved and is being made.').waitFor();
    await approval.waitFor({ state: 'detached' });
    while (await service.api.hasDelivery('waiting')) await page.waitForTimeout(50);
    const story = await storyOf(window, key);
    expect(story).toMatch(/Approval large-refund, refund approved/);
    expect(story).toMatch(/Booking Payment out of an account done R\$130\.00/);
    expect(story).toContain('the chair came back');
    expect(window.complaints).toEqual([]);
  });

  it('by keyboard alone: is declined, and is not in the books', async () => {
    const key = await refundPartly(service, { id: 8_800_000_002_000, number: 1502 }, '140.00');
    const window = await signedIn();
    const { page } = window;
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Needs a person', level: 1 }).waitFor();
    const decline = approvalOf(page, key).getByRole('button', { name: 'Decline' });
    await decline.waitFor();
    await tabTo(page, decline);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.type('nothing came back');
    await page.keyboard.press('Enter');
    await page.getByText('It was declined.').waitFor();
    const story = await storyOf(window, key);
    expect(story).toMatch(/Approval large-refund, refund declined/);
    expect(story).not.toMatch(/Booking Payment out of an account done/);
    expect(story).toContain('nothing came back');
    expect(window.complaints).toEqual([]);
  });
});

describe('the content of a webhook', () => {
  it('is masked until somebody says why they have to see it, which the audit log tells others', async () => {
    const key = await refundPartly(service, { id: 8_800_000_003_000, number: 1503 }, '150.00');
    const window = await signedIn(await keyOf('Ana of the office'));
    const { page } = window;
    await window.show(`/orders?key=${encodeURIComponent(key)}`);
    await page.getByRole('link', { name: 'shopify orders/paid' }).click();
    await page.getByText('What may be about a person is hidden.').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(DOCUMENT);
    await page.getByRole('button', { name: 'Show everything' }).click();
    const dialog = page.getByRole('dialog');
    const show = dialog.getByRole('button', { name: 'Show everything' });
    for (const reason of ['', '   ']) {
      await dialog.getByLabel('Why you do it').fill(reason);
      expect(await show.isDisabled()).toBe(true);
      await page.keyboard.press('Enter');
    }
    expect(await dialog.isVisible()).toBe(true);
    await giveReason(page, 'Show everything', 'the customer asks what we have');
    await page.getByText('Nothing is hidden.').waitFor();
    expect(await page.locator('main').innerText()).toContain(DOCUMENT);
    await page.reload();
    await page.getByText('What may be about a person is hidden.').waitFor();
    expect(await page.locator('main').innerText()).not.toContain(DOCUMENT);

    const other = await signedIn();
    await other.show('/audit');
    const row = other.page.getByRole('row').filter({ hasText: 'delivery.reveal' });
    await row.filter({ hasText: 'Ana of the office' }).waitFor();
    expect(await row.count()).toBe(1);
    expect(await row.innerText()).toMatch(/Webhook: read with personal data[\s\S]*the customer asks/);
    expect([...window.complaints, ...other.complaints]).toEqual([]);
  });

  it('leaves who saw it in the audit log also where a page asks the service without a reason', async () => {
    const [delivery] = await service.api.deliveries();
    const window = await signedIn(await keyOf('Bia of the office'));
    const { page } = window;
    const reply = await page.request.get(`/admin/organizations/main/deliveries/${delivery?.id}?body=raw`);
    expect(reply.status()).toBe(200);
    await window.show('/audit?action=delivery.reveal');
    const row = page.getByRole('row').filter({ hasText: 'Bia of the office (you)' });
    expect(await row.innerText()).toMatch(new RegExp(`${delivery?.id}\\s+–`));
  });
});

describe('a session that ends while somebody works', () => {
  async function signInAgain(page: Page): Promise<void> {
    await page.getByText('The session has ended. Sign in again.').waitFor();
    await page.locator('input[type=password]').fill(service.operatorsKey);
    await page.keyboard.press('Enter');
  }

  it('leads to signing in with the next click, and from there to where it led', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/deliveries?state=done');
    await service.expireSessions();
    await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click();
    await signInAgain(page);
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=done');
    expect(window.complaints).toEqual([]);
  });

  it('does the same where the browser has let go of it, and keeps what was written', async () => {
    const window = await signedIn();
    const { page } = window;
    await window.show('/rules/order-paid');
    const editor = page.getByRole('textbox', { name: 'Document of the rule' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.context().clearCookies();
    await page.keyboard.type('\n# Written while the session ended.');
    await signInAgain(page);
    await page.getByText('Nothing is wrong with it.').waitFor();
    await editor.click();
    // The editor has those lines alone that are in sight.
    await page.keyboard.press('Control+End');
    expect(await editor.innerText()).toContain('# Written while the session ended.');
    expect(new URL(page.url()).pathname).toBe('/console/main/rules/order-paid');
    expect(window.complaints).toEqual([]);
  });
});
