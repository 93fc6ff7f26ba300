import { wordsOf } from './finance-client';
import { problemOf } from './remote-problem';
import { contentOf } from './reply-content';

/** What a person reads of a refusal with status 400. */
function read(body: string): string {
  return wordsOf(problemOf(400, contentOf(Buffer.from(body)), 'the-key'));
}

it.each<[string, object | string, string]>([
  ['a sentence', { message: 'The category is inactive' }, 'The category is inactive'],
  [
    'an error that is an object',
    { error: { message: 'The category is inactive' } },
    'The category is inactive',
  ],
  [
    'a list of errors alone',
    [{ code: 'E1', message: 'The category is inactive' }, { message: 'The day is closed' }],
    'The category is inactive; The day is closed',
  ],
  [
    'fields of a problem document with their reasons',
    { title: 'One or more validation errors occurred.', status: 400, errors: { DueDate: ['is required'] } },
    'One or more validation errors occurred: DueDate: is required',
  ],
  [
    'the state of a model',
    {
      Message: 'The request is invalid.',
      ModelState: { 'model.Value': ['must be positive', 'is too long'] },
    },
    'The request is invalid: model.Value: must be positive; model.Value: is too long',
  ],
  [
    'errors with pointers',
    {
      detail: '1 field is not acceptable',
      errors: [{ pointer: '/dueDate', code: 'x', message: 'is required' }],
    },
    '1 field is not acceptable: /dueDate: is required',
  ],
  [
    'an error that says the sentence again',
    { detail: 'the day is closed', errors: [{ pointer: '/date', code: 'x', message: 'the day is closed' }] },
    'the day is closed',
  ],
  [
    'errors that are one text',
    { title: 'Refused', errors: 'The day is closed' },
    'Refused: The day is closed',
  ],
  [
    'XML',
    '<Error><Message>Refused</Message><errors><item><message>closed</message></item></errors></Error>',
    'Refused: closed',
  ],
  ['a code alone', { error: 'day-closed' }, 'day-closed'],
  ['nothing', {}, 'status 400'],
  ['errors that say nothing', { errors: [null, 7, {}, []] }, 'status 400'],
])('says %s', (_what, body, words) => {
  expect(read(typeof body === 'string' ? body : JSON.stringify(body))).toBe(words);
});

it('says a few of many reasons, and none that is nested without end', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ message: `wrong ${index} ${'x'.repeat(500)}` }));
  const words = read(JSON.stringify({ message: 'Refused', errors: many }));
  expect(words).toMatch(/^Refused: wrong 0 x+; wrong 1 x+$/);
  const deep = `${'{"errors":'.repeat(40)}"end"${'}'.repeat(40)}`;
  expect(read(deep)).toBe('status 400');
});

it('never brings the key along', () => {
  expect(read(JSON.stringify({ errors: { 'the-key': ['no the-key here'] } }))).toBe('[key]: no [key] here');
});
