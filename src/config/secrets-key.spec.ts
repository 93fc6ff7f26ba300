import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretsKeysOf } from './secrets-key';
import { SettingError, Settings } from './settings';

describe('the key that encrypts secrets', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-key-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the one that is set', () => {
    const set = Buffer.alloc(32, 3);
    const settings = new Settings({ DATA_DIR: folder, SECRETS_KEY: set.toString('base64') });
    expect(secretsKeysOf(settings).current).toEqual(set);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is made once, for its owner alone, and stays', () => {
    const settings = new Settings({ DATA_DIR: join(folder, 'data') });
    const made = secretsKeysOf(settings).current;
    expect(made).toHaveLength(32);
    expect(secretsKeysOf(settings).current).toEqual(made);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secrets.key']);
    expect(statSync(join(folder, 'data', 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('stays for as long as the process runs, even if the file is moved away for the next start', () => {
    const settings = new Settings({ DATA_DIR: folder });
    const made = secretsKeysOf(settings).current;
    rmSync(join(folder, 'secrets.key'));
    expect(secretsKeysOf(settings).current).toEqual(made);
    const previous = made.toString('base64');
    const next = secretsKeysOf(new Settings({ DATA_DIR: folder, SECRETS_KEY_PREVIOUS: previous }));
    expect(next.current).not.toEqual(made);
    expect(next.previous).toEqual([made]);
  });

  it('is refused when the file holds something else', () => {
    writeFileSync(join(folder, 'secrets.key'), 'not a key');
    expect(() => secretsKeysOf(new Settings({ DATA_DIR: folder }))).toThrow(SettingError);
  });
});
