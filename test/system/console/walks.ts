import type { Locator, Page } from 'playwright-core';

/** Does what a person does with a dialog that asks for a reason. */
export async function giveReason(page: Page, label: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why you do it').fill(reason);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. @throws Error when it never gets it */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await element.evaluate((node) => node === node.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the element cannot be reached by Tab');
}
