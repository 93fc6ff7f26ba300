import { Problem, PROBLEMS } from './problem';

describe('Problem', () => {
  it('takes status and title from the table', () => {
    const problem = new Problem('saturated', 'The queue is full.', { retryAfterSeconds: 2 });
    expect(problem).toMatchObject({
      status: 503,
      title: 'Ponte is saturated; try again shortly',
      detail: 'The queue is full.',
      message: 'saturated: The queue is full.',
      extras: { retryAfterSeconds: 2 },
    });
    expect(problem).toBeInstanceOf(Error);
  });

  it.each(Object.entries(PROBLEMS))(
    '%s has the status of an error and a title for people',
    (code, { status, title }) => {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
    },
  );
});
