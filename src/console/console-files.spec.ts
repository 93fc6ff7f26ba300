import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleFiles } from './console-files';

let folder: string;
let files: ConsoleFiles;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-console-'));
  mkdirSync(join(folder, 'console/assets'), { recursive: true });
  const put = (name: string, content: string) => writeFileSync(join(folder, 'console', name), content);
  put('index.html', 'the page');
  put('index.html.gz', 'the page, smaller');
  put('assets/app-1a2b.js', 'a script');
  put('assets/app-1a2b.js.br', 'script');
  put('assets/app-1a2b.js.gz', 'a scrip');
  put('made-of', 'a digest');
  writeFileSync(join(folder, 'secrets.html'), 'nobody sees this');
  files = new ConsoleFiles(join(folder, 'console'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function sent(path: string, accepted = ''): Promise<unknown[]> {
  const file = await files.find(path, accepted);
  return file ? [file.content.toString(), file.type.split(';')[0], file.encoding, file.isImmutable] : [];
}

describe('the files of the console', () => {
  it('are the page for every address within it, and scripts by their names', async () => {
    const page = ['the page', 'text/html', undefined, false];
    for (const path of ['', 'main', 'main/deliveries/1', 'index.html'])
      expect(await sent(path)).toEqual(page);
    expect(await sent('assets/app-1a2b.js')).toEqual(['a script', 'text/javascript', undefined, true]);
  });

  it.each([
    ['gzip, deflate, br', 'script', 'br'],
    ['gzip', 'a scrip', 'gzip'],
    ['BR;q=0.5', 'script', 'br'],
    ['br;q=0, gzip;q=0.1', 'a scrip', 'gzip'],
    ['br;q=0.0, gzip; q=0', 'a script', undefined],
    ['identity', 'a script', undefined],
    ['', 'a script', undefined],
  ])('are compressed as they are accepted: %j', async (accepted, content, encoding) => {
    expect(await sent('assets/app-1a2b.js', accepted)).toEqual([content, 'text/javascript', encoding, true]);
  });

  it.each([
    'assets/none.js',
    '../secrets.html',
    'assets/../../secrets.html',
    '/etc/hostname.html',
    'assets/app-1a2b.js.br',
    'made-of.txt',
    'favicon.ico',
  ])('are no others: %s', async (path) => {
    expect(await sent(path, 'br')).toEqual([]);
  });

  it('are none where the console is not built', async () => {
    expect(await new ConsoleFiles(join(folder, 'none')).find('', '')).toBeUndefined();
  });
});
