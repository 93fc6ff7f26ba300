import { BANK, GATEWAY_ACCOUNTS } from './accounts';
import type { LeftToPerson, RulesInForce } from './expected';
import type { Message } from './messages';

/** What the month needs of a running Ponte. */
export interface MonthService {
  /** Makes an account that is at zero. @returns its identifier */
  makeAccount(name: string): Promise<string>;
  putTable(name: string, entries: Record<string, string>): Promise<void>;
  /** Signs and sends a webhook. @returns the status of the answer */
  send(message: Message): Promise<number>;
  /** Waits until everything that was sent is worked on, and what is due is booked. */
  settled(): Promise<void>;
  /** Names of the rules that act. */
  rulesInForce(): Promise<RulesInForce>;
  left(): Promise<LeftToPerson[]>;
}

/** Opens an account for each gateway and one for the bank, and says in the rules' tables which is whose. */
export async function openAccounts(service: MonthService): Promise<void> {
  const bank = await service.makeAccount(BANK);
  const accounts: Record<string, string> = {};
  for (const { name, gateways } of GATEWAY_ACCOUNTS) {
    const id = await service.makeAccount(name);
    for (const gateway of gateways) accounts[gateway] = id;
  }
  await service.putTable('gatewayAccount', accounts);
  await service.putTable('payoutAccount', { default: bank });
}

/** Sends everything and waits until it is worked on. @throws Error where a webhook is not accepted */
export async function sendMonth(service: MonthService, messages: readonly Message[]): Promise<void> {
  for (const message of messages) {
    const status = await service.send(message);
    if (status !== 200) throw new Error(`webhook ${message.id} (${message.topic}) was answered ${status}`);
  }
  await service.settled();
}
