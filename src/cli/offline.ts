import { resolve } from 'node:path';
import { isObject } from '../kernel/json-object';
import { EXIT, Failure } from './failure';
import type { Session } from './session';

/** Errors whose message is one line for whoever typed the command. */
const EXPECTED = ['ArchiveError', 'DatabaseAddressError', 'DatabaseStartError', 'SettingError', 'MoveError'];

/** Absolute path of the data directory that a command works on. */
export function dataDirOf(session: Session, given: string | undefined): string {
  return resolve(given ?? (session.terminal.env['DATA_DIR'] || './data'));
}

/** Does what needs no service. @throws Failure with one line where that is refused */
export async function offline<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && (EXPECTED.includes(error.name) || isOfSystem(error)))
      throw new Failure(EXIT.refused, error.message);
    throw error;
  }
}

/** A file that cannot be read, a disk that is full. */
function isOfSystem(error: unknown): boolean {
  return isObject(error) && typeof error['syscall'] === 'string';
}
