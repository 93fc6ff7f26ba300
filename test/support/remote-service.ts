import { FaultyFinance } from '../faulty-finance/faulty-finance';
import { ConfigFolder } from './config-folder';
import { booksOf, MAIN_ACCOUNT } from './http-finance';
import { FINANCE_KEY } from './remote-finance';
import { TestService } from './service';

const CATEGORY = '6f1f0c51-7d3c-4c1e-9a51-0000000000c1';
export const OTHER_ACCOUNT = '6f1f0c51-7d3c-4c1e-9a51-00000000000b';

/** How operators connect the service of {@link RemoteService}. */
export const CONNECTION = {
  organization: 'acme',
  apiKey: FINANCE_KEY,
  limits: { perSecond: 1000 },
};

/** The whole of Ponte before books that a faulty service keeps. */
export class RemoteService {
  private constructor(
    readonly books: FaultyFinance,
    readonly ponte: TestService,
    private readonly folder: ConfigFolder,
  ) {}

  static async start(): Promise<RemoteService> {
    const accounts = [
      { id: MAIN_ACCOUNT, name: 'main' },
      { id: OTHER_ACCOUNT, name: 'other' },
    ];
    const categories = [{ id: CATEGORY, name: 'sales', type: 'in' }];
    const books = await FaultyFinance.start([booksOf({ accounts, categories })]);
    const folder = new ConfigFolder({
      category: { 'online-sales': CATEGORY },
      gatewayAccount: { default: MAIN_ACCOUNT },
    });
    const ponte = await TestService.start(undefined, {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: books.url,
    });
    return new RemoteService(books, ponte, folder);
  }

  async stop(): Promise<void> {
    await this.ponte.stop();
    await this.books.stop();
    this.folder.remove();
  }
}
