import { AttentionRepository } from '../../src/workflows/attention.repository';
import { DeferredEffects } from '../../src/workflows/deferred/deferred-effects.repository';
import { EffectsEmbedded } from '../../src/finance/embedded/effects/effects.embedded';
import { EmbeddedDueEffects } from '../../src/workflows/deferred/embedded-due-effects';
import type { Database } from '../../src/database/database';
import type { PlannedEffect } from '../../src/finance/api/effects/effect';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import { SettableClock } from './settable-clock';

const CLOCK = new SettableClock('2026-03-10T15:00:00Z');

/** Stores effects that are due already, as a run puts them off. */
export async function putOff(
  database: Database,
  organization: Organization,
  effects: readonly PlannedEffect[],
): Promise<void> {
  const stored = new DeferredEffects();
  const rows = effects.map((effect) => ({
    ...{ id: newId(), organization, effect, rule: { name: 'r', version: 1 }, datesKnown: true },
    ...{ runId: newId(), step: 'settle', deliveryId: newId(), businessKey: 'shop/order/1' },
    dueAt: CLOCK.now(),
  }));
  await database.transaction((tx) => stored.store(tx, rows, CLOCK.now()));
}

/** What one replica applies to Ponte's own books. */
export function embeddedDue(
  database: Database,
  type: typeof EmbeddedDueEffects = EmbeddedDueEffects,
): EmbeddedDueEffects {
  return new type(
    database,
    new EffectsEmbedded(CLOCK),
    new DeferredEffects(),
    new AttentionRepository(),
    CLOCK,
  );
}

/** States of what an organization has deferred, by key. */
export async function statesOf(
  database: Database,
  { id: organizationId }: Organization,
): Promise<Record<string, string>> {
  const rows = await database.prisma.deferredEffect.findMany({ where: { organizationId } });
  return Object.fromEntries(rows.map(({ key, state }) => [key, state]));
}
