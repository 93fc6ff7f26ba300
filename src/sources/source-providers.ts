import { PROVIDERS } from './registry';
import type { SourceProvider } from './source';

/** The providers that a service takes webhooks of: those of the registry unless its module is given others. */
export class SourceProviders {
  private readonly byId: ReadonlyMap<string, SourceProvider>;
  private readonly signatureHeaders: ReadonlySet<string>;
  /** Longest body that any of them sends unsigned, in bytes. */
  readonly longestHandshake: number;

  /** @throws Error when two have one id */
  constructor(readonly all: readonly SourceProvider[] = PROVIDERS) {
    this.byId = new Map(all.map((provider) => [provider.id, provider]));
    if (this.byId.size < all.length) throw new Error('two providers of sources have one id');
    this.signatureHeaders = new Set(all.flatMap(({ signatureHeaders = [] }) => signatureHeaders));
    this.longestHandshake = Math.max(0, ...all.map(({ longestHandshake = 0 }) => longestHandshake));
  }

  get ids(): string[] {
    return [...this.byId.keys()];
  }

  /** The provider with this id; undefined when there is none. */
  find(id: string): SourceProvider | undefined {
    return this.byId.get(id);
  }

  /** Whether a request carries a signature of any of them: the same for every address, known or not. */
  carriesSignature(headers: Readonly<Record<string, unknown>>): boolean {
    for (const name of this.signatureHeaders) if (headers[name] !== undefined) return true;
    return false;
  }
}
