import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AS_SHIPPED } from '../../bench/frame/measured-service';

const ROOT = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('the service that the bench measures', () => {
  it('is started with the options of `npm start`', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    expect(scripts.start).toBe(
      `node scripts/build-where-possible.cjs && node ${AS_SHIPPED.join(' ')} dist/src/main.js`,
    );
  });

  it('is started with the options of the image', () => {
    const command = JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[];
    expect(command).toEqual(['node', ...AS_SHIPPED, 'dist/src/main.js']);
  });
});
