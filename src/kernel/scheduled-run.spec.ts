import { ScheduledRun } from './scheduled-run';

describe('a scheduled run', () => {
  it('is not begun while it is under way, and is begun again afterwards', async () => {
    let begun = 0;
    let end: () => void = () => undefined;
    const run = new ScheduledRun(
      () => {
        begun += 1;
        return new Promise<void>((resolve) => (end = resolve));
      },
      () => undefined,
    );
    const first = run.tick();
    await run.tick();
    expect(begun).toBe(1);
    end();
    await first;
    const second = run.tick();
    expect(begun).toBe(2);
    end();
    await second;
  });

  it('is begun afresh after the one under way, which may not see what was just written', async () => {
    const ends: (() => void)[] = [];
    const run = new ScheduledRun(
      () => new Promise<void>((resolve) => ends.push(resolve)),
      () => undefined,
    );
    const events: string[] = [];
    const first = run.tick();
    const asked = [run.afresh(), run.afresh(), run.ended()].map((done) =>
      done.then(() => events.push('done')),
    );
    for (const begun of [1, 2]) {
      expect([ends.length, events]).toEqual([begun, []]);
      ends.at(-1)?.();
      await new Promise(setImmediate);
    }
    await Promise.all([first, ...asked]);
    const alone = run.afresh();
    expect(ends).toHaveLength(3);
    const again = run.afresh().then(() => ends.length);
    ends.at(-1)?.();
    await alone;
    await new Promise(setImmediate);
    ends.at(-1)?.();
    expect(await again).toBe(4);
  });

  it('says why it failed, and is begun again all the same', async () => {
    const failures: unknown[] = [];
    const down = new Error('the database is down');
    let isDown = true;
    const run = new ScheduledRun(
      () => {
        if (isDown) throw down;
        return Promise.resolve();
      },
      (error) => failures.push(error),
    );
    await run.tick();
    isDown = false;
    await run.tick();
    expect(failures).toEqual([down]);
  });

  it('is waited for until it has ended, and no longer', async () => {
    const events: string[] = [];
    let end: () => void = () => undefined;
    const run = new ScheduledRun(
      async () => {
        await new Promise<void>((resolve) => (end = resolve));
        events.push('ended');
      },
      () => undefined,
    );
    await run.ended();
    void run.tick();
    const waited = run.ended().then(() => events.push('waited'));
    end();
    await waited;
    expect(events).toEqual(['ended', 'waited']);
  });
});
