import type { Browser } from 'playwright-core';
import { openBrowser, Window } from './browser';

type WindowOptions = Parameters<typeof Window.open>[2];

/** The windows of one test: they are closed together. */
export class OpenWindows {
  private readonly open: Window[] = [];

  private constructor(private readonly browser: Browser) {}

  static async begin(): Promise<OpenWindows> {
    return new OpenWindows(await openBrowser());
  }

  /** A window in which nobody has signed in. */
  async opened(url: string, options?: WindowOptions): Promise<Window> {
    const opened = await Window.open(this.browser, url, options);
    this.open.push(opened);
    return opened;
  }

  async signedIn(url: string, key: string, options?: WindowOptions): Promise<Window> {
    const opened = await this.opened(url, options);
    await opened.signIn(key);
    return opened;
  }

  async closeAll(): Promise<void> {
    for (const window of this.open.splice(0)) await window.close();
  }

  async end(): Promise<void> {
    await this.closeAll();
    await this.browser.close();
  }
}
