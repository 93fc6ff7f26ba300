import { ApiProblem, pathOf } from '../../console/src/api';

describe('what the console asks the API', () => {
  it('stays at the address that is meant, whatever somebody wrote into a part of it', () => {
    expect(pathOf('organizations', 'main', 'rules', '../../keys')).toBe(
      'organizations/main/rules/..%2F..%2Fkeys',
    );
    expect(pathOf('a b', '?x=1#y', 'é')).toBe('a%20b/%3Fx%3D1%23y/%C3%A9');
    expect(pathOf()).toBe('');
  });

  it('is answered with a problem that says what it is about, and whether somebody has to sign in', () => {
    const refused = new ApiProblem({ status: 409, title: 'Conflict', detail: 'The source is paused' });
    expect([refused.message, refused.isSignedOut]).toEqual(['The source is paused', false]);
    const ended = new ApiProblem({ status: 401, title: 'Unauthorized' });
    expect([ended.message, ended.isSignedOut]).toEqual(['Unauthorized', true]);
  });
});
