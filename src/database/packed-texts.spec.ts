import { packTexts } from './packed-texts';

describe('packTexts', () => {
  it('says where each text begins and how long it is, in bytes', () => {
    const texts = ['{"a":1}', '', '{"name":"Conceição 🎈"}', 'x'];
    const { bytes, starts, lengths } = packTexts(texts);
    const cut = texts.map((_, index) => {
      const from = starts[index]! - 1;
      return bytes.subarray(from, from + lengths[index]!).toString('utf8');
    });
    expect(cut).toEqual(texts);
  });

  it('packs nothing into nothing', () => {
    expect(packTexts([])).toEqual({ bytes: Buffer.alloc(0), starts: [], lengths: [] });
  });
});
