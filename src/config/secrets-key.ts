import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder';
import { SettingError, type Settings } from './settings';

/** What secrets are encrypted with at rest. */
export interface SecretsKeys {
  /** Seals, and opens what it sealed: 32 bytes. */
  readonly current: Buffer;
  /** Open what was sealed before the current key came. */
  readonly previous: readonly Buffer[];
}

/** A file that is moved away belongs to the next start: a process keeps to the key it began with. */
const known = new WeakMap<Settings, SecretsKeys>();

/**
 * The keys as set; without `SECRETS_KEY`, with the embedded database only, the current one is made once in the data
 * directory, readable by its owner alone.
 * @throws SettingError when the file is there but holds something else
 */
export function secretsKeysOf(settings: Settings): SecretsKeys {
  const keys = known.get(settings) ?? {
    current: settings.secretsKey ?? keptKey(settings),
    previous: settings.secretsKeysPrevious,
  };
  known.set(settings, keys);
  return keys;
}

/** Whether there is a key, without making one. */
export function hasSecretsKey(settings: Settings): boolean {
  return settings.secretsKey !== undefined || existsSync(keyFile(settings));
}

function keyFile({ dataDir }: Settings): string {
  return join(dataDir, 'secrets.key');
}

function keptKey(settings: Settings): Buffer {
  const path = keyFile(settings);
  if (!existsSync(path)) makeKey(path, settings.dataDir);
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new SettingError(`SECRETS_KEY: ${path} does not hold 32 bytes in base64`);
  return key;
}

/** The file appears whole or not at all, whenever the process is killed, and whoever makes it first wins. */
function makeKey(path: string, folder: string): void {
  makeFolder(folder);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}
