import { Problem } from '../kernel/problem';
import { withoutValues } from './private-errors';

describe('an error that leaves the database', () => {
  it('brings no values of rows with it, however deep', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      detail: 'Key (document)=(1) exists',
      params: ['1'],
    });
    const error = Object.assign(new Error('refused'), { meta: { driverAdapterError: { cause } } });
    withoutValues(error);
    expect([cause, 'detail' in cause && cause.detail, cause.params]).toEqual([cause, undefined, undefined]);
  });

  it('keeps the detail of a problem, which was written for clients', () => {
    const problem = new Problem('validation-failed', 'there is no such bank');
    expect(withoutValues(problem)).toBe(problem);
    expect(problem.detail).toBe('there is no such bank');
  });
});
