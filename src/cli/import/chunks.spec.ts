import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type Chunk, ChunkReader, MOST_BYTES } from './chunks';

async function chunksOf(parts: readonly Buffer[], from = 1): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const stream = Readable.from(parts, { objectMode: true }) as AsyncIterable<Buffer>;
  for await (const chunk of new ChunkReader(from).read(stream)) chunks.push(chunk);
  return chunks;
}

/** The lines with their numbers; undefined: too long. */
function linesIn(chunks: readonly Chunk[]): [number, string | undefined][] {
  return chunks.flatMap(({ first, bytes }): [number, string | undefined][] =>
    bytes === undefined
      ? [[first, undefined]]
      : bytes
          .toString('latin1')
          .split('\n')
          .map((line, index) => [first + index, line]),
  );
}

const LONG = 'x'.repeat(MOST_BYTES / 2);

describe('a file that is cut into chunks', () => {
  it('keeps every line with its number, to the byte, wherever the parts of the file begin', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', '{', 'ã', ' ', '\r'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.nat(9), fc.boolean(), async (lines, size, ended) => {
        const file = Buffer.from(lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
        const parts: Buffer[] = [];
        for (let at = 0; at < file.length; at += size + 1) parts.push(file.subarray(at, at + size + 1));
        const texts = file.toString('latin1').split('\n');
        if (texts.at(-1) === '') texts.pop();
        expect(linesIn(await chunksOf(parts))).toEqual(texts.map((text, index) => [index + 1, text]));
      }),
    );
  });

  it('makes no chunk of more bytes than Ponte takes, and takes a line of just as many', async () => {
    const whole = 'y'.repeat(MOST_BYTES);
    const chunks = await chunksOf([Buffer.from([LONG, LONG, 'short', whole, 'end'].join('\n'))]);
    expect(chunks.map(({ first, bytes }) => [first, bytes?.length])).toEqual([
      [1, LONG.length],
      [2, LONG.length + '\nshort'.length],
      [4, MOST_BYTES],
      [5, 'end'.length],
    ]);
  });

  it('makes no chunk of more than a thousand lines', async () => {
    const chunks = await chunksOf([Buffer.from('{}\n'.repeat(2_001))]);
    expect(chunks.map(({ first }) => first)).toEqual([1, 1_001, 2_001]);
  });

  it('gives the number of a line that is longer, and goes on behind it', async () => {
    const parts = ['first\n', LONG, LONG, 'z\nthird\n'].map((text) => Buffer.from(text));
    expect(linesIn(await chunksOf(parts))).toEqual([
      [1, 'first'],
      [2, undefined],
      [3, 'third'],
    ]);
  });

  it('begins at the line that is named', async () => {
    const parts = [Buffer.from('one\ntwo\nthree')];
    expect(linesIn(await chunksOf(parts, 3))).toEqual([[3, 'three']]);
    expect(await chunksOf(parts, 4)).toEqual([]);
  });
});
