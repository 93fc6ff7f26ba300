import { randomBytes } from 'node:crypto';
import { SealError } from '../config/sealing';
import { openSecrets, sealSecrets } from './sealed-secrets';

describe('sealed secrets', () => {
  const keysOf = (current: Buffer, ...previous: Buffer[]) => ({ current, previous });
  const key = keysOf(randomBytes(32));

  it('come back as they were', () => {
    const sealed = sealSecrets(['one', 'zwölf'], 'source-1', key);
    expect(openSecrets(sealed, 'source-1', key)).toEqual(['one', 'zwölf']);
    expect(sealed.includes(Buffer.from('one'))).toBe(false);
  });

  it('differ each time they are sealed', () => {
    expect(sealSecrets(['one'], 's', key).equals(sealSecrets(['one'], 's', key))).toBe(false);
  });

  it('cannot be opened with another key, for another source, or once changed', () => {
    const sealed = sealSecrets(['one'], 'source-1', key);
    expect(() => openSecrets(sealed, 'source-1', keysOf(randomBytes(32)))).toThrow(SealError);
    expect(() => openSecrets(sealed, 'source-2', key)).toThrow(SealError);
    const changed = Buffer.from(sealed);
    changed[changed.length - 1]! ^= 1;
    expect(() => openSecrets(changed, 'source-1', key)).toThrow(SealError);
    expect(() => openSecrets(sealed.subarray(0, 10), 'source-1', key)).toThrow(SealError);
  });
});
