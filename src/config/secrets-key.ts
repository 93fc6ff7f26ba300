import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError, type Settings } from './settings';

/**
 * The 32 bytes that encrypt source secrets at rest: as set, or, with the embedded database only, made once in
 * the data directory and readable by its owner alone.
 * @throws SettingError when the file is there but holds something else
 */
export function secretsKeyOf(settings: Settings): Buffer {
  if (settings.secretsKey) return settings.secretsKey;
  const path = join(settings.dataDir, 'secrets.key');
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${randomBytes(32).toString('base64')}\n`);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== 32) throw new SettingError(`SECRETS_KEY: ${path} does not hold 32 bytes in base64`);
  return key;
}
