import axios, { type AxiosInstance } from 'axios';

/** The few calls the demo makes, as anybody's script would make them. */

export interface Reply {
  status: number;
  body: unknown;
}

export interface DeliveryView {
  id: string;
  source: string;
  topic: string;
  state: string;
  outcome: string | null;
  reason: string | null;
  businessKey: string | null;
  events: string[];
}

export interface EffectView {
  key: string;
  operation: string;
  state: string;
  value: string | null;
  output: { id?: string; all?: string[] };
}

export interface ScheduleView {
  scheduleId: string;
  description: string;
  reference: string;
  value: number;
  openValue: number;
  dueDate: string;
  stakeholder: { id: string; name: string };
  isPaid: boolean;
}

export interface BalanceView {
  accountId: string;
  accountName: string;
  balance: number;
}

/** A client of the running service, for operators' and finance calls. */
export class Api {
  private financeKey = '';
  private readonly http: AxiosInstance;

  constructor(
    readonly url: string,
    private readonly operatorsKey: string,
  ) {
    this.http = axios.create({ baseURL: url, timeout: 10_000, proxy: false, validateStatus: () => true });
  }

  /** Makes an API key for the finance interface, as an operator would. */
  async makeFinanceKey(): Promise<void> {
    const made = await this.admin('POST', 'keys', {
      name: 'demo',
      scopes: ['finance:read', 'finance:write'],
    });
    this.financeKey = (made as { key: string }).key;
  }

  /** Sends a webhook. The reply is whatever it is. */
  async hook(source: string, headers: Record<string, string>, body: Buffer): Promise<Reply> {
    const { status, data } = await this.http.post<unknown>(`/hooks/main/${source}`, body, { headers });
    return { status, body: data };
  }

  /** Every delivery, oldest first. */
  async deliveries(): Promise<DeliveryView[]> {
    const { items } = (await this.admin('GET', 'deliveries?limit=500')) as { items: DeliveryView[] };
    return items.reverse();
  }

  /** The effects that a delivery's runs made or found. */
  async effectsOf(delivery: string): Promise<EffectView[]> {
    return ((await this.admin('GET', `deliveries/${delivery}`)) as { effects: EffectView[] }).effects;
  }

  /** Whether a delivery is in this state. */
  async hasDelivery(state: string): Promise<boolean> {
    const { items } = (await this.admin('GET', `deliveries?limit=1&state=${state}`)) as { items: unknown[] };
    return items.length > 0;
  }

  /** Everything of an operators' list, such as `rules`, page by page. */
  async listOf<T>(list: string): Promise<T[]> {
    const found: T[] = [];
    for (let after: string | null = ''; after !== null;) {
      const more: string = after && `&after=${after}`;
      const page = (await this.admin('GET', `${list}?limit=500${more}`)) as {
        items: T[];
        after: string | null;
      };
      found.push(...page.items);
      after = page.after;
    }
    return found;
  }

  /** Gives a lookup table these entries alone. */
  async putTable(name: string, entries: Record<string, string>): Promise<void> {
    await this.admin('PUT', `tables/${name}`, { entries });
  }

  /** Makes an account at zero, as a finance client would. @returns its identifier */
  async makeAccount(name: string, openedOn: string): Promise<string> {
    const account = { name, openBalance: 0, dateOfOpenBalance: openedOn };
    return (await this.call('POST', '/v1/accounts', this.financeKey, account)) as string;
  }

  async schedulesOf(customer: string): Promise<ScheduleView[]> {
    return (await this.finance(`customers/${customer}/schedules`)) as ScheduleView[];
  }

  async balances(): Promise<BalanceView[]> {
    return ((await this.finance('accounts/views/balance')) as { items: BalanceView[] }).items;
  }

  private async finance(path: string): Promise<unknown> {
    return this.call('GET', `/v1/${path}`, this.financeKey);
  }

  /** Asks the operators' API, below the organization. */
  async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.call(method, `/admin/organizations/main/${path}`, this.operatorsKey, body);
  }

  private async call(method: string, url: string, key: string, data?: unknown): Promise<unknown> {
    const headers = { authorization: `Bearer ${key}` };
    const reply = await this.http.request<unknown>({ method, url, headers, data });
    if (reply.status >= 300)
      throw new Error(`${method} ${url} answered ${reply.status}: ${JSON.stringify(reply.data)}`);
    return reply.data;
  }
}
