import { setTimeout as sleep } from 'node:timers/promises';

const SETTLE_LIMIT_MS = 120_000;

/** Waits until no delivery of `main` waits. @param key the operators' key */
export async function settled(url: string, key: string): Promise<void> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const reply = await fetch(`${url}/admin/organizations/main/deliveries?state=waiting&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { items } = (await reply.json()) as { items: unknown[] };
    if (items.length === 0) return;
    if (Date.now() > deadline) throw new Error('deliveries were still waiting after two minutes');
    await sleep(100);
  }
}
