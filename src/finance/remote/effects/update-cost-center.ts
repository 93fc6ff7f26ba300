import { isUuid } from '../../../kernel/identifier';
import type { Transaction } from '../../../database/transaction';
import { type CostCenterInput, readCostCenter } from '../../api/effects/cost-center-update';
import { digestOf, isNewer, lockKnownFields, noteField } from '../../effects/followed-fields.repository';
import type { CallContent } from '../calls/call';
import { NotYetShown } from '../reads/remote-reads';
import { nameOf, type RemoteEffect, type RemoteEffectHandler, stalled } from './remote-effect';

const FIELD = 'description';

/** Milliseconds until an update that another has to end before is asked for again. */
const ASK_AGAIN_MS = 5_000;

type Effect = RemoteEffect<CostCenterInput>;

/** What is to be said of a cost center. */
interface Said {
  /** UUID of the cost center. */
  readonly id: string;
  readonly asOf: Date;
  readonly digest: string;
}

/** A newer event has said something of the cost center. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Describes a cost center (operation 6) as the newest event has it. Which event that is is noted before the call is sent
 * and read again in the transaction that commits the intent; an update waits for another one that is under way, so that
 * the service does not take the older one last.
 */
export const updateCostCenter: RemoteEffectHandler<CostCenterInput> = async (effect) => {
  const { connection, organization, deliveryId, tools } = effect;
  const { costCenter, description, asOf } = readCostCenter(effect.input);
  const id = await tools.names.costCenter(connection, organization, costCenter);
  const digest = digestOf({ organizationId: organization.id, value: description });
  const said: Said = { id, asOf, digest };
  const content: CallContent = {
    operation: 'costCenters.update',
    path: { CostCenterId: id },
    body: { costCenterId: id, description, ...(!isUuid(costCenter) && { externalCode: costCenter }) },
  };
  const nothing = { output: { id }, attention: [] };
  try {
    await tools.database.transaction((tx) => claim(tx, effect, said));
    const check = (tx: Transaction): Promise<void> => mustBeNewest(tx, effect, said);
    const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId, check });
    return result.state === 'applied' ? { state: 'applied', ...nothing } : stalled(result);
  } catch (error) {
    if (error instanceof Overtaken) return { state: 'existing', ...nothing };
    throw error;
  }
};

/** Notes what is said, where it is the newest. @throws Overtaken; NotYetShown while another update is under way */
async function claim(tx: Transaction, effect: Effect, said: Said): Promise<void> {
  const { organization, key, tools } = effect;
  const name = { organizationId: organization.id, recordId: said.id };
  const known = (await lockKnownFields(tx, name.organizationId, name.recordId)).get(FIELD);
  if (known && isNewer(known, said)) throw new Overtaken('a newer event described the cost center');
  if (await tools.store.isUpdated(tx, name.organizationId, said.id, key)) {
    const until = new Date(tools.clock.now().getTime() + ASK_AGAIN_MS);
    throw new NotYetShown('another update of the cost center is under way', until);
  }
  const { asOf, digest } = said;
  await noteField(tx, name, { field: FIELD, asOf, digest, runId: null, differs: false });
}

/** @throws Overtaken */
async function mustBeNewest(tx: Transaction, { organization }: Effect, said: Said): Promise<void> {
  const known = (await lockKnownFields(tx, organization.id, said.id)).get(FIELD);
  if (known && isNewer(known, said)) throw new Overtaken('a newer event described the cost center');
}
