/** Values for requests: each is acceptable somewhere, and hardly any of them everywhere. */

const LONG_TEXT = 'x'.repeat(20_000);
export const ODD_PATHS = [
  ...[
    '%00',
    '%ff',
    '%2e%2e%2f',
    '..',
    '%F0%9F%98%80',
    'a'.repeat(299),
    'a'.repeat(3_000),
    '%',
    '%zz',
    ';a=1',
  ],
  ...['null', 'undefined', '0', '-1', '1e9', '__proto__', 'constructor', "'", '"', '{}', '%0d%0aX:1', '%20'],
  '00000000-0000-0000-0000-000000000000',
  '0198C2A4-6F1E-7C3A-9B52-3D0C8F4E7A11',
];
export const ODD_QUERIES = [
  ...['', '%00', '%ff', '-1', '0', '1e9', '2147483648', '99999999999999999999', '1.5', 'NaN', 'null', 'true'],
  ...['%F0%9F%98%80', '%ED%A0%80', "'", '%25', '2026-02-30', '0000-01-01', '9999-12-31T23:59:59Z', '[]'],
  ...['+275760-09-13T00:00:00Z', '-000001-01-01', '1900-01-01', 'a%5Bb%5D', LONG_TEXT.slice(0, 6_000)],
];
export const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'foo'];
export const LITERALS = [
  ...["'a'", "''", "'o''x'", 'null', 'true', '1', '-1', '1.5', '1e400', '99999999999999999999', 'NaN', 'INF'],
  ...['2026-03-10', '1900-01-01', '9999-12-31', '0001-01-01', '2026-03-10T00:00:00Z', '2026-02-30'],
  ...["datetime'2026-03-10'", "guid'x'", '0198c2a4-6f1e-7c3a-9b52-3d0c8f4e7a11', "('a','b')", '(1,2)', "'%'"],
  ...["'\u0000'", "'\ud83d\ude00'", "'_'", "'\\'", `'${'\u0301'.repeat(500)}'`, '2026-03-10T00:00:00-03:06'],
  ...['-922337203685477.58', '92233720368547758.08', '922337203685477580700', '0.001', "'2026-03-10'"],
];
export const FUNCTIONS = [
  'contains',
  'startswith',
  'endswith',
  'tolower',
  'length',
  'year',
  'date',
  'round',
  'any',
];
export const MEDIA_TYPES = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'text/plain',
  ],
  ...[
    'application/xml',
    'text/xml; charset=iso-8859-1',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ],
  ...[
    'application/yaml',
    'application/json; charset=',
    'x',
    '',
    'application/vnd.api+json',
    '*/*',
    'a/b;q=1;;',
  ],
];
export const ACCEPTS = [
  ...['application/json', 'application/xml', 'text/xml', '*/*', 'text/html', 'application/json;q=0', '', 'x'],
  ...['application/xml;q=0.9, application/json;q=0.1', 'a/b;q=2', ','.repeat(2_000), '*'],
];
export const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
];
export const TEXTS = [
  ...['text', 'Lia Campos', '', ' ', 'main', 'BRL', '2026-03-10', 'true', '1', '\u0000', '\ud800', '\u202e'],
  ...['a\u0315\u0300', 'x'.repeat(501), LONG_TEXT, "'; --", '<b/>', '&amp;', '\r\n', '52998224725', '1.1.01'],
];
export const WHOLE_NUMBERS = [
  '0',
  '-1',
  '1',
  '120',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '1e3',
  '0.5',
];
export const SUMS = [
  '0',
  '0.01',
  '1',
  '100',
  '-1',
  '999999999999.99',
  '1000000000000',
  '1e11',
  '1e-3',
  '0.005',
  '1.10',
];
export const DATES = [
  ...['2026-03-10', '2026-04-10T00:00:00-03:00', '1900-01-01', '9999-12-31', '0001-01-01', '2026-02-30'],
  ...['1899-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00', '2026-03-10T12:00:00', '2018-11-04T00:00:00'],
  ...['1582-10-10', '2026-03-10T25:00:00Z', '10000-01-01', '2026', '', '1914-01-01T00:00:00'],
];
