import { negotiate } from './accept';

const OFFERED = ['application/json', 'application/xml', 'text/xml'] as const;

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/xml'],
  ['application/xml', 'application/xml'],
  ['APPLICATION/XML', 'application/xml'],
  ['text/xml', 'text/xml'],
  ['text/xml; charset=utf-8', 'text/xml'],
  ['application/json;odata=minimalmetadata', 'application/json'],
  ['application/json, application/xml', 'application/json'],
  ['application/xml, application/json', 'application/json'],
  ['application/xml, */*', 'application/xml'],
  ['application/xml, application/json;q=0.9', 'application/xml'],
  ['application/xml;q=0.8, application/json;q=0.9', 'application/json'],
  ['application/xml;q=0.1, application/json;q=0', 'application/xml'],
  ['application/json;q=0, */*', 'application/xml'],
  ['application/*;q=0, */*', 'text/xml'],
  ['application/*;q=0.5, text/xml;q=0.4', 'application/json'],
  ['application/xml;q=0, application/*;q=0.1, */*;q=0.9', 'text/xml'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml'],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  [' application/xml ;q=1.000 ', 'application/xml'],
  ['application/json;q=0.001', 'application/json'],
  ['text/html', undefined],
  ['application/*;q=0', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=0, application/xml;q=0, text/xml;q=0, */*', undefined],
  ['application/json;q=nonsense', undefined],
  ['application/json;q=', undefined],
  ['application/soap+xml', undefined],
  ['application/jsonx', undefined],
  [',;,;=,', undefined],
])('%j gives %s', (accept, type) => expect(negotiate(accept, OFFERED)).toBe(type));

it('takes a quality beyond 1 for 1', () => {
  expect(negotiate('application/xml;q=9, application/json', OFFERED)).toBe('application/json');
});
