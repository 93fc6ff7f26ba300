/** The few calls the demo makes, with plain `fetch`, as anybody's script would. */

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

  constructor(
    private readonly url: string,
    private readonly operatorsKey: string,
  ) {}

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
    const reply = await fetch(`${this.url}/hooks/main/${source}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
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

  async schedulesOf(customer: string): Promise<ScheduleView[]> {
    return (await this.finance(`customers/${customer}/schedules`)) as ScheduleView[];
  }

  async balances(): Promise<BalanceView[]> {
    return ((await this.finance('accounts/views/balance')) as { items: BalanceView[] }).items;
  }

  private async finance(path: string): Promise<unknown> {
    return this.call('GET', `/v1/${path}`, this.financeKey);
  }

  private async admin(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.call(method, `/admin/organizations/main/${path}`, this.operatorsKey, body);
  }

  private async call(method: string, path: string, key: string, body?: unknown): Promise<unknown> {
    const reply = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }
}
