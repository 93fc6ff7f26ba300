import { lookup } from 'node:dns';
import type { BlockList } from 'node:net';
import { outwardRule } from '../../finance/remote/client/addresses';
import { guardedAgents } from '../../finance/remote/client/agents';

type Agents = ReturnType<typeof guardedAgents>;

/** Connections to providers: into the public internet, and into networks that the environment allows. */
export class ProviderAgents {
  private readonly agents: Readonly<Record<'http:' | 'https:', Agents>>;

  /** @param networks that are not public, and that providers may be in all the same */
  constructor(networks: BlockList) {
    this.agents = {
      'http:': guardedAgents({ allowed: outwardRule('http:', networks), lookup }),
      'https:': guardedAgents({ allowed: outwardRule('https:', networks), lookup }),
    };
  }

  /** The agents for an address that {@link URL} can parse. */
  of(url: string): Agents {
    return this.agents[new URL(url).protocol === 'http:' ? 'http:' : 'https:'];
  }

  /** Idle connections must not keep the process. */
  end(): void {
    for (const { httpAgent, httpsAgent } of Object.values(this.agents)) {
      httpAgent.destroy();
      httpsAgent.destroy();
    }
  }
}
