import { hash } from 'node:crypto';
import { documentDigest } from './document-key';

const ORGANIZATION = '0190a000-0000-7000-8000-000000000001';
const [KEY, OTHER_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe('what stands for a document', () => {
  it('is the same for the same number of the same organization, and else another', () => {
    const digest = documentDigest(ORGANIZATION, '52998224725', KEY);
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(documentDigest(ORGANIZATION, '52998224725', Buffer.alloc(32, 1))).toBe(digest);
    expect(documentDigest(ORGANIZATION, '52998224724', KEY)).not.toBe(digest);
    expect(documentDigest(ORGANIZATION, '52998224725', OTHER_KEY)).not.toBe(digest);
  });

  it('stays what it was for an organization without a key', () => {
    const digest = documentDigest(ORGANIZATION, '52998224725', undefined);
    expect(digest).toBe(hash('sha256', `${ORGANIZATION}/52998224725`, 'hex'));
  });
});
