import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { page, PageRequest } from './paging';

function asked(url: string): FastifyRequest {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URL(url, 'http://test').searchParams) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return { url, query } as unknown as FastifyRequest;
}

const of = (url: string): PageRequest => PageRequest.of(asked(url));

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
    const request = of('/v1/x?Organization=main&%24SKIP=2&$top=2&note=a%26b+c');
    expect(request.nextLink(5)).toBe('/v1/x?Organization=main&$top=2&note=a%26b+c&$skip=4');
    expect(page([1, 2], 5, request.nextLink(5))).toEqual({
      items: [1, 2],
      count: 5,
      nextPageLink: '/v1/x?Organization=main&$top=2&note=a%26b+c&$skip=4',
    });
  });

  it('visits every record once when its links are followed, and then ends', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), fc.nat(70), (count, top, skip) => {
        const records = Array.from({ length: count }, (_, index) => index);
        const seen: number[] = [];
        let url: string | null = `/x?$top=${top}&$skip=${skip}`;
        while (url !== null) {
          const request: PageRequest = of(url);
          seen.push(...records.slice(request.skip, request.skip + request.top));
          url = request.nextLink(count);
        }
        expect(seen).toEqual(records.slice(skip));
      }),
    );
  });

  it('has no next page when nothing is asked for', () => {
    expect(of('/x?$top=0').nextLink(10)).toBeNull();
  });
});
