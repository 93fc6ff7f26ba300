import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where Debian's package and others put it; `CHROMIUM` names another place. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** It asks nobody but the service that is tried. */
const OPTIONS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];
/** Screenshots of the run. */
export const SCREENSHOTS = join(__dirname, '../../../.cache/console-screenshots');

/** The program that looks for barriers. As text: it runs in the page, and not here. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** A browser window on the console, and what it complained about. */
export class Window {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    /** Errors of scripts, and what the page's policy forbade. */
    readonly complaints: string[],
  ) {}

  static async open(
    browser: Browser,
    url: string,
    options: { language?: 'en' | 'pt-BR'; theme?: 'light' | 'dark' } = {},
  ): Promise<Window> {
    const { language = 'en', theme = 'light' } = options;
    const context = await browser.newContext({
      ...{ baseURL: url, locale: language, colorScheme: theme, viewport: { width: 1280, height: 900 } },
      acceptDownloads: false,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      // A refusal of the API is logged by the browser, too, and is shown on the page.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('dialog', (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return new Window(page, context, complaints);
  }

  async signIn(key: string): Promise<void> {
    await this.page.goto('/console');
    await this.page.locator('input[type=password]').fill(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('main#content').waitFor();
  }

  /** Opens a page of the organization and waits until it has read what it shows. @param path such as `/deliveries` */
  async show(path: string): Promise<void> {
    await this.page.goto(`/console/main${path}`);
    await this.isThere();
  }

  /** Waits until the page that was opened has read what it shows. */
  async isThere(): Promise<void> {
    await this.page.locator('main#content h1').first().waitFor();
    const loading = this.page.locator('main#content .loading');
    while ((await loading.count()) > 0) await this.page.waitForTimeout(50);
  }

  /** What axe finds wrong for people who see, hear or move differently: rule and element. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const violations = await this.page.evaluate<Violation[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** @throws Error where no Chromium is installed */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('no Chromium: install the package chromium, or say with CHROMIUM where it is');
  return chromium.launch({ executablePath, args: OPTIONS });
}
