import { useEffect, useState } from 'preact/hooks';
import { get } from './api';
import { useAdminPath } from './session';

type Heard = (event: string, data: unknown) => void;

/** Milliseconds until a connection that was refused is opened again; twice as many each time, up to a minute. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [1_000, 60_000];

/**
 * One connection for the page, whatever of it listens. Browsers open it again by themselves when it breaks, and give it up when the
 * answer is an error: a proxy gives one while the service restarts.
 */
class Live {
  private readonly listeners = new Set<Heard>();
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waitMs = FIRST_WAIT_MS;

  /** @param path of the organization, below `/admin/` */
  constructor(private readonly path: string) {}

  listen(heard: Heard): () => void {
    this.listeners.add(heard);
    this.source ??= this.open();
    return () => {
      this.listeners.delete(heard);
      if (this.listeners.size > 0) return;
      clearTimeout(this.timer);
      this.source?.close();
      this.source = undefined;
    };
  }

  private open(): EventSource {
    const source = new EventSource(`/admin/${this.path}/live`, { withCredentials: true });
    source.addEventListener('open', () => (this.waitMs = FIRST_WAIT_MS));
    source.addEventListener('error', () => {
      if (source === this.source && source.readyState === EventSource.CLOSED) this.openLater();
    });
    for (const name of ['state', 'delivery', 'more'])
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const said: unknown = JSON.parse(data);
        for (const heard of this.listeners) heard(name, said);
      });
    return source;
  }

  /** It says no reason: an ordinary request finds out whether the session has ended, after which nobody listens. */
  private openLater(): void {
    this.timer = setTimeout(() => {
      void get(this.path).then(
        () => {
          if (this.listeners.size > 0) this.source = this.open();
        },
        () => {
          if (this.listeners.size > 0) this.openLater();
        },
      );
    }, this.waitMs);
    this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
  }
}

let current: { path: string; live: Live } | undefined;

/** Calls when something happens to the organization's deliveries: events of `…/live`, as they come. */
export function useLive(heard: Heard): void {
  const path = useAdminPath()();
  useEffect(() => {
    if (current?.path !== path) current = { path, live: new Live(path) };
    return current.live.listen(heard);
  }, [path, heard]);
}

/** A number that grows when something has happened, at most once in two seconds: lists read themselves again by it. */
export function useLiveRound(): number {
  const [round, setRound] = useState(0);
  const [heard] = useState(() => {
    let isDue = false;
    return () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        setRound((before) => before + 1);
      }, 2_000);
    };
  });
  useLive(heard);
  return round;
}
