import type { AboutPage, ListedItem, ProviderList } from '../../src/sources/missed-webhooks';
import { UnreadablePayload } from '../../src/sources/payload';
import type { FetchAccess, SourceProvider } from '../../src/sources/source';
import { answerOf, type ListCase, listings } from '../support/list-cases';
import { Random } from '../support/random';
import { casesOf, contextWith, fetchedIn, FIXTURES, stored } from '../support/source-cases';
import { join } from 'node:path';

describe.each(listings())('the list of %s', (id, provider, list, listed) => {
  const period = { from: new Date(listed.period.from), to: new Date(listed.period.to) };
  const settings = listed.settings ?? {};
  const about = { period, settings, timeZone: 'America/Sao_Paulo' };
  const access: FetchAccess = {
    settings,
    credentials: Object.fromEntries(
      Object.keys(provider.api?.credentials ?? {}).map((name) => [name, `${name} of the tests`]),
    ),
    ...(provider.api?.accessTokens && { accessToken: 'granted' }),
  };

  it('is asked page by page to its end, each with what the API wants to see', () => {
    let place: string | undefined;
    for (const [index, page] of listed.pages.entries()) {
      expect([index, index === 0 || place !== undefined]).toEqual([index, true]);
      const { path, body, headers } = list.request(place, period, access);
      expect([path, body?.text]).toEqual([page.path, page.sends]);
      expect(Object.keys(headers).every((name) => name === name.toLowerCase())).toBe(true);
      const secrets = Object.values(access.credentials);
      expect(secrets.filter((secret) => path.includes(encodeURIComponent(secret)))).toEqual([]);
      place = list.read(answerOf(id, page), { ...about, place }).next;
    }
    expect(place).toBeUndefined();
  });

  it('has what its webhooks would have brought', () => {
    const items = itemsOf(id, list, listed, about);
    const seen = items.map(({ webhook, changedAt, entity }) => {
      const { orderingKey } = identityOf(provider, webhook, settings);
      return {
        changedAt: changedAt.toISOString(),
        lane: orderingKey,
        ...(entity !== undefined && { entity }),
      };
    });
    expect(seen).toEqual(listed.items.map((item) => ({ ...item, case: undefined })));
  });

  it('names what it has as the events about it are keyed', () => {
    const items = itemsOf(id, list, listed, about);
    const tried = listed.items.flatMap(({ case: file }, index) =>
      file === undefined ? [] : [keysOf(provider, items[index] as ListedItem, file, access)],
    );
    expect(tried.length).toBeGreaterThan(0);
    for (const { named, keys } of tried) {
      expect(keys).not.toEqual([]);
      if (named !== undefined) expect(keys).toContain(named);
    }
  });

  it('is refused as unreadable where the API answers with something else, and never fails otherwise', () => {
    const bodies = [
      '',
      '<html>',
      '[',
      '{',
      'null',
      '7',
      '"text"',
      '[null]',
      '[7]',
      '{"data":7}',
      '{"orders":[7]}',
    ];
    const random = new Random(20_261_125);
    const page = answerOf(id, listed.pages[0] as ListCase['pages'][number]);
    for (let count = 0; count < 200; count += 1) bodies.push(mutated(page.body.toString('utf8'), random));
    for (const body of bodies) {
      try {
        for (const item of list.read({ ...page, body: Buffer.from(body) }, { ...about, place: undefined })
          .items)
          expect(Number.isNaN(item.changedAt.getTime())).toBe(false);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadablePayload);
      }
    }
    expect(() => list.read({ ...page, body: Buffer.from('<html>') }, { ...about, place: undefined })).toThrow(
      UnreadablePayload,
    );
  });
});

function itemsOf(
  id: string,
  list: ProviderList,
  { pages }: ListCase,
  about: Omit<AboutPage, 'place'>,
): ListedItem[] {
  let place: string | undefined;
  return pages.flatMap((page) => {
    const { items, next } = list.read(answerOf(id, page), { ...about, place });
    place = next;
    return items;
  });
}

function identityOf(
  provider: SourceProvider,
  { headers = {}, query = {}, body }: ListedItem['webhook'],
  settings: Record<string, unknown>,
): ReturnType<SourceProvider['identify']> {
  return provider.identify({ method: 'POST', headers, query, rawBody: body }, settings);
}

/** The keys of the events that come of an item once it is fetched, and the one that the item names. */
function keysOf(
  provider: SourceProvider,
  { webhook, entity }: ListedItem,
  file: string,
  access: FetchAccess,
): { named: string | undefined; keys: string[] } {
  const found = casesOf(provider.id).find((one) => one.file === file);
  if (!found) throw new Error(`no case of ${provider.id} has the file ${file}`);
  const { topic, attributes } = identityOf(provider, webhook, access.settings);
  const fetched = fetchedIn(join(FIXTURES, provider.id), found);
  const arrived = stored(topic, webhook.body, attributes, fetched);
  const asked = provider.fetchBack?.next({ ...arrived, fetched: [] }, access);
  expect(asked?.path).toEqual(found.fetched?.[0]?.path);
  const normalised = provider.normalise(arrived, contextWith(access.settings));
  const keys = 'events' in normalised ? normalised.events.map(({ key }) => key) : [];
  return { named: entity === undefined ? undefined : `loja/${entity}`, keys };
}

/** Cut off, or with something else in the place of some of its characters. */
function mutated(text: string, random: Random): string {
  const place = Math.floor(random.next() * text.length);
  const rest = text.slice(place + Math.floor(random.next() * 20));
  const pieces = ['', 'null', '-1', '{}', '[]', '"', '1e999', 'true', '\\u0000'];
  const piece = pieces[Math.floor(random.next() * pieces.length)] as string;
  return random.next() < 0.1 ? text.slice(0, place) : `${text.slice(0, place)}${piece}${rest}`;
}
