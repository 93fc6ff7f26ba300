import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { page, PageRequest } from './paging';

interface Reached {
  host?: string;
  protocol?: string;
}

function asked(url: string, { host = '', protocol = 'http' }: Reached, publicUrl?: string): FastifyRequest {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URL(url, 'http://test').searchParams) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  const server = { getDecorator: () => publicUrl };
  const request = { url, originalUrl: url, query, host, protocol, raw: { socket: {} }, server };
  return request as unknown as FastifyRequest;
}

function of(url: string, reached: Reached = { host: 'books.example' }, publicUrl?: string): PageRequest {
  return PageRequest.of(asked(url, reached, publicUrl));
}

describe('paging', () => {
  it('returns a hundred records from the first one where nothing is said', () => {
    expect(of('/v1/accounts')).toMatchObject({ top: 100, skip: 0 });
  });

  it('reads its parameters in any letter case, encoded or not', () => {
    expect(of('/x?$TOP=7&%24Skip=3&$Count=TRUE')).toMatchObject({ top: 7, skip: 3, count: true });
  });

  it('caps a page that is too large instead of refusing it', () => {
    expect(of('/x?$top=501').top).toBe(500);
  });

  it.each([
    '$top=-1',
    '$top=1.5',
    '$top=',
    '$top=ten',
    '$skip=99999999999',
    '$skip=2147483648',
    '$count=yes',
  ])('refuses %s, naming the parameter', (query) => {
    const name = query.split('=', 1)[0] ?? '';
    expect(() => of(`/x?${query}`)).toThrow(Problem);
    expect(() => of(`/x?${query}`)).toThrow(name);
  });

  it('refuses a parameter that is given twice with different values', () => {
    expect(() => of('/x?$top=1&$TOP=2')).toThrow('more than once');
    expect(of('/x?$top=2&$TOP=2').top).toBe(2);
  });

  it('links to the next page with everything else the client sent', () => {
    const request = of('/v1/x?Organization=main&%24SKIP=2&$top=2&%24SkipToken=old&note=a%26b+c');
    const link = 'http://books.example/v1/x?Organization=main&$top=2&note=a%26b+c&$skiptoken=new';
    expect(request.nextLink('new')).toBe(link);
    expect(page([1, 2], 5, link)).toEqual({ items: [1, 2], count: 5, nextPageLink: link });
  });

  it.each(['apitoken', 'ApiToken', 'APITOKEN', 'api%74oken'])('leaves the key %s out of the link', (name) => {
    expect(of(`/v1/x?$top=2&${name}=ponte_secret&a=b`).nextLink('new')).toBe(
      'http://books.example/v1/x?$top=2&a=b&$skiptoken=new',
    );
  });

  it('links to the next page with a question mark that the client did not encode', () => {
    expect(of("/v1/x?$filter=contains(name,'why?')&$skip=2").nextLink('new')).toBe(
      "http://books.example/v1/x?$filter=contains(name,'why?')&$skiptoken=new",
    );
  });

  it('hands on what it does not read itself', () => {
    expect(of("/x?$FILTER=name eq 'a'&$OrderBy=name&$skipToken=abc")).toMatchObject({
      filter: "name eq 'a'",
      orderBy: 'name',
      skipToken: 'abc',
    });
  });

  it.each<[string, Reached, string | undefined, string]>([
    ['the host of the request', { host: 'books.example:8080' }, undefined, 'http://books.example:8080/x'],
    [
      'https where a proxy says so',
      { host: 'books.example', protocol: 'HTTPS' },
      undefined,
      'https://books.example/x',
    ],
    [
      'http where a proxy says anything else',
      { host: 'books.example', protocol: 'gopher' },
      undefined,
      'http://books.example/x',
    ],
    ['an address of digits', { host: '[::1]:3000' }, undefined, 'http://[::1]:3000/x'],
    [
      'the public address, whatever the host',
      { host: 'inside:3000' },
      'https://books.example/ponte',
      'https://books.example/ponte/x',
    ],
    ['nothing where there is no host', {}, undefined, '/x'],
    ['nothing where the host is none', { host: 'a b"<' }, undefined, '/x'],
  ])('begins its links with %s', (_name, reached, publicUrl, link) => {
    expect(of('/x', reached, publicUrl).nextLink('t')).toBe(`${link}?$skiptoken=t`);
  });
});
