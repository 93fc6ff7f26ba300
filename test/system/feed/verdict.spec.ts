import { IN_ORDER, judge } from './verdict';

const told = (...versions: [entity: string, version: number][]) =>
  versions.map(([entity, version], index) => ({ id: String(index), data: { entity, version } }));
const COMMITTED = new Map([
  ['a', 2],
  ['b', 1],
]);

describe('the verdict on a reader', () => {
  it('is good where every change came once, each entity in its order', () => {
    expect(judge(told(['a', 1], ['b', 1], ['a', 2]), COMMITTED)).toEqual(IN_ORDER);
  });

  it.each([
    ['a change is missing at the end', told(['a', 1], ['b', 1])],
    ['a change is missing in between', told(['a', 2], ['b', 1])],
    ['changes came in another order', told(['a', 2], ['a', 1], ['b', 1])],
    ['a change came that was not committed', told(['a', 1], ['a', 2], ['a', 3], ['b', 1])],
    ['a change came twice', told(['a', 1], ['a', 2], ['a', 2], ['b', 1])],
  ])('names the entity where %s', (_, items) => {
    expect(judge(items, COMMITTED)).toEqual({ repeated: 0, disturbed: ['a'] });
  });

  it('counts what came again under its id', () => {
    const [first, ...others] = told(['a', 1], ['a', 2], ['b', 1]);
    expect(judge([first!, first!, ...others], COMMITTED)).toEqual({ repeated: 1, disturbed: ['a'] });
  });
});
