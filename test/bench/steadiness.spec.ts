import { growthBetween, type Sample } from '../../bench/frame/steadiness';

describe('growth over time', () => {
  const sample = (memory: number, heap: number): Sample => ({
    memory,
    heap,
    connections: 10,
    files: 40,
    handles: 9,
  });

  it('leaves out the warm-up and what is only garbage', () => {
    const samples = [50, 90, 100, 100, 100, 100, 104, 104].map((memory, index) =>
      sample(memory, index % 2 === 0 ? 30 : 60),
    );
    expect(growthBetween(samples, 'memory')).toBe(4);
    expect(growthBetween(samples, 'heap')).toBe(0);
    expect(growthBetween(samples, 'connections')).toBe(0);
  });
});
