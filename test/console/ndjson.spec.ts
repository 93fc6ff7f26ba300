import * as fc from 'fast-check';
import { LongLine, type LinesPart, partsOf } from '../../console/src/ndjson';
import { propertyRuns, propertySeed } from '../support/property-runs';

async function partsIn(file: Blob, from?: { until: number; first: number }): Promise<LinesPart[]> {
  const parts: LinesPart[] = [];
  for await (const part of partsOf(file, from)) parts.push(part);
  return parts;
}

const MEBIBYTE = 1_048_576;

describe('a file of lines in parts', () => {
  it('has none where it is empty', async () => {
    expect(await partsIn(new Blob([]))).toEqual([]);
  });

  it('is one part where a request takes it, with or without the end of its last line', async () => {
    for (const text of ['{}\n{}', '{}\n{}\n']) {
      const [part, ...others] = await partsIn(new Blob([text]));
      expect(others).toEqual([]);
      expect(part).toMatchObject({ first: 1, next: 3, until: text.length });
      expect(await part?.lines.text()).toBe(text);
    }
  });

  it('is cut after ten thousand lines, and between lines where a request would be too large', async () => {
    const lines = await partsIn(new Blob(['{}\n'.repeat(20_001)]));
    expect(lines.map(({ first, next }) => [first, next])).toEqual([
      [1, 10_001],
      [10_001, 20_001],
      [20_001, 20_002],
    ]);
    const half = `"${'x'.repeat(MEBIBYTE / 2)}"\n`;
    const large = await partsIn(new Blob([half, half, half]));
    expect(large.map(({ first, next }) => [first, next])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  it('takes a line that is just as long as a request, and names one that is longer', async () => {
    expect(await partsIn(new Blob(['x'.repeat(MEBIBYTE - 1), '\n', 'y']))).toHaveLength(2);
    const tooLong = partsIn(new Blob(['{}\n', 'x'.repeat(MEBIBYTE), '\n']));
    await expect(tooLong).rejects.toThrow(new LongLine(2));
  });

  it('goes on after the parts that were sent before', async () => {
    const file = new Blob(['{}\n'.repeat(10_002)]);
    const [sent] = await partsIn(file);
    const rest = await partsIn(file, { until: sent!.until, first: sent!.next });
    expect(rest.map(({ first, next }) => [first, next])).toEqual([[10_001, 10_003]]);
  });

  it('is whole again when its parts are put together, and no letter is cut, whatever is in it', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => text.repeat(300));
    const law = fc.asyncProperty(fc.array(line, { maxLength: 60 }), async (lines) => {
      const text = lines.join('\n');
      const parts = await partsIn(new Blob([text]));
      const shown = await Promise.all(parts.map((part) => part.lines.text()));
      expect(shown.join('')).toBe(text);
      expect(parts.map(({ first }) => first)).toEqual(
        [1, ...parts.slice(0, -1).map(({ next }) => next)].slice(0, parts.length),
      );
    });
    await fc.assert(law, { numRuns: propertyRuns(40), ...propertySeed() });
  });
});
