import { ATTENTION_CODES } from '../../finance/api/effects/attention';
import { Money } from '../../kernel/money';
import { type Digest, MOST_LISTED, type OpenItem, shownKey, totalsOf } from './digest';
import { digestEmail } from './digest-email';
import { digestMessage } from './digest-message';
import { choiceOf, isTopic } from './topics';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';

function item(more: Partial<OpenItem> = {}): OpenItem {
  return {
    ...{ kind: 'attention', id: ID, version: '', code: 'payment-left-over', businessKey: 'shopify/order/1' },
    ...{ amount: Money.parse('1234.56', 'BRL'), since: new Date('2026-03-10T02:30:00Z'), source: null },
    ...more,
  };
}

function digest(items: readonly OpenItem[], more: Partial<Digest> = {}): Digest {
  const organization = { slug: 'main', name: 'Loja & Filhos', timeZone: 'America/Sao_Paulo' };
  return { organization, subscription: 'finance', items, hasMore: false, ...more };
}

const DEAD = item({
  kind: 'dead-letter',
  code: 'dead-letter',
  businessKey: null,
  amount: null,
  source: 'woo',
});
const INCOMPLETE = item({
  ...{ kind: 'completeness', code: 'books-incomplete', businessKey: 'source/shopify', amount: null },
  ...{ source: 'shopify', differing: { count: 1200, from: '2026-03-01', to: '2026-03-09' } },
});

describe('a digest as an e-mail', () => {
  it('is in English', () => {
    const { subject, text } = digestEmail(digest([item(), DEAD, INCOMPLETE]), 'en', false);
    expect(subject).toBe('[Ponte] Loja & Filhos: 3 matters need a person');
    expect(text).toBe(`3 matters need a person

By code

1 × books-incomplete
  1 × dead-letter
  1 × payment-left-over: R$1,234.56

The oldest first

shopify/order/1: A payment was larger than what was open; the rest is booked nowhere. (R$1,234.56, since 9 Mar 2026, 23:30)
  To do: Find out what the rest was for and enter it by hand.
  See: ponte attention list --org main

source woo, delivery ${ID}: A delivery could not be worked on. (since 9 Mar 2026, 23:30)
  To do: Read its reason, mend the cause, and retry or discard it.
  See: ponte deliveries show ${ID} --org main

source/shopify: The books differ from what the shop says. (1,200 differences, since 9 Mar 2026, 23:30)
  To do: See the differences, and have them repaired or correct them by hand.
  See: ponte completeness --org main --source shopify --from 2026-03-01 --to 2026-03-09

The subscription finance of Loja & Filhos in Ponte sends this. Each matter is sent once.
`);
  });

  it('is in Portuguese, with amounts and days as people in Brazil write them', () => {
    const { subject, text } = digestEmail(digest([item(), INCOMPLETE]), 'pt-BR', false);
    expect(subject).toBe('[Ponte] Loja & Filhos: 2 itens precisam de uma pessoa');
    expect(text).toContain('(R$ 1.234,56, desde 9 de mar. de 2026, 23:30)');
    expect(text).toContain('1.200 diferenças');
    expect(text).toContain('O que fazer: Descubra a que se refere o restante');
  });

  it('says the same in HTML, with nothing of it taken for markup', () => {
    const { text, html } = digestEmail(digest([item({ businessKey: '<b>"&' })]), 'en', false);
    expect(text).toContain('<b>"&: A payment');
    expect(html).toContain('&lt;b&gt;&quot;&amp;: A payment');
    expect(html).toContain('Loja &amp; Filhos');
    expect(html).not.toContain('<b>');
  });

  it('lists some, and says how many more there are and where', () => {
    const many = Array.from({ length: MOST_LISTED + 1010 }, (_, n) =>
      item({ businessKey: `shopify/order/${n}` }),
    );
    const { text } = digestEmail(digest(many, { hasMore: true }), 'en', false);
    expect(text).toContain(`shopify/order/${MOST_LISTED - 1}:`);
    expect(text).not.toContain(`shopify/order/${MOST_LISTED}:`);
    expect(text).toContain('… and 1,010 more\n  See: ponte attention list --org main');
    expect(text).toContain('1,035 × payment-left-over: R$1,277,769.60');
    expect(text).toContain('the next message has the rest');
    const { data } = digestMessage(digest(many), false) as { data: { items: object[]; more: number } };
    expect(data.items).toHaveLength(MOST_LISTED);
    expect(data.more).toBe(1010);
  });

  it('is about one item where that is told at once', () => {
    const { subject, text } = digestEmail(digest([item()]), 'en', true);
    expect(subject).toBe('[Ponte] Loja & Filhos: A matter needs a person');
    expect(text).not.toContain('By code');
    expect(digestMessage(digest([item()]), true).type).toBe('attention.required');
  });

  it('names the code of what a rule raises', () => {
    const { text } = digestEmail(digest([item({ code: 'rule-check-address', amount: null })]), 'en', false);
    expect(text).toContain('A rule asks a person to check. (rule-check-address, since');
  });

  it.each(['en', 'pt-BR'] as const)('has a sentence for every code in %s', (language) => {
    const items = ATTENTION_CODES.map((code) => item({ code, businessKey: code, amount: null }));
    for (const one of items) {
      const { text } = digestEmail(digest([one]), language, true);
      expect(text).toMatch(new RegExp(`^${one.businessKey ?? ''}: .+\\. \\(`, 'm'));
    }
  });

  it('keeps the subject on one line, and short', () => {
    const organization = {
      slug: 'main',
      name: `A\r\nBcc: x@example.com\u2028${'b'.repeat(300)}`,
      timeZone: 'UTC',
    };
    const { subject } = digestEmail(digest([item()], { organization }), 'en', false);
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(subject.length).toBeLessThanOrEqual(150);
  });
});

describe('what is counted', () => {
  it('has the most frequent code first, and a sum for each currency', () => {
    const items = [
      item(),
      item({ amount: Money.parse('1', 'USD') }),
      item({ amount: Money.parse('0.44', 'BRL') }),
      DEAD,
    ];
    expect(totalsOf(items)).toEqual([
      {
        ...{ code: 'payment-left-over', count: 3 },
        sums: [Money.parse('1235', 'BRL'), Money.parse('1', 'USD')],
      },
      { code: 'dead-letter', count: 1, sums: [] },
    ]);
  });

  it('leaves a sum out that is larger than the books could have', () => {
    const large = item({ amount: Money.parse('9'.repeat(12), 'BRL') });
    const items = Array.from({ length: 2_000 }, () => large);
    expect(totalsOf(items)).toEqual([{ code: 'payment-left-over', count: 2_000, sums: [] }]);
  });
});

describe('a key as it is shown', () => {
  it.each([
    ['shopify/order/1', 'shopify/order/1'],
    ['shop/customer/ana@example.com', 'shop/customer/…@…'],
    ['shop/ana@example.com/order/1', 'shop/…@…/order/1'],
    ['k'.repeat(300), `${'k'.repeat(200)}…`],
  ])('is %s as %s', (key, shown) => expect(shownKey(key)).toBe(shown));
});

describe('what a subscription is about', () => {
  it('is everything where nothing is named', () => {
    const { codes, ofRules, deadLetters, completeness } = choiceOf([]);
    expect(new Set(codes)).toEqual(new Set(ATTENTION_CODES));
    expect([ofRules, deadLetters, completeness]).toEqual([true, true, true]);
  });

  it('is what is named alone', () => {
    expect(choiceOf(['dead-letters', 'rule-look'])).toEqual({
      ...{ codes: ['rule-look'], ofRules: false, deadLetters: true, completeness: false },
    });
    expect(choiceOf(['attention']).codes).not.toContain('source-silent');
    expect(choiceOf(['sources']).codes).toContain('source-silent');
    expect(choiceOf(['sources']).deadLetters).toBe(false);
  });

  it.each(['attention', 'sources', 'payment-left-over', 'rule-look'])('may be %s', (word) =>
    expect(isTopic(word)).toBe(true),
  );
  it.each(['weather', 'rule-', '', 'Sources', 'dead-letter'])('may not be %j', (word) =>
    expect(isTopic(word)).toBe(false),
  );
});
