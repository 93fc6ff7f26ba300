import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paidOrder, problemsOf, run } from './fixtures';

const PAGE = readFileSync(join(__dirname, '../../docs/rule-mistakes.md'), 'utf8');

interface Shown {
  title: string;
  document: string;
  messages: string;
}

/** The mistakes of the page that have this mark: each with its heading, its rule and the messages below it. */
function shown(mark: string): Shown[] {
  const section = new RegExp(
    `^## (.+)\\n[^#]*?\`\`\`yaml ${mark}\\n([\\s\\S]*?)\`\`\`\\n\\n\`\`\`text\\n([\\s\\S]*?)\\n\`\`\``,
    'gm',
  );
  return [...PAGE.matchAll(section)].map(([, title = '', document = '', messages = '']) => ({
    title,
    document,
    messages,
  }));
}

describe('the common mistakes', () => {
  const mistakes = shown('mistake');

  it('are twenty and more, each with a heading of its own', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(20);
    expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
    expect(PAGE.match(/^## /gm)).toHaveLength(mistakes.length + 1);
  });

  it.each(mistakes)('say where and what to do: $title', ({ document, messages }) => {
    const found = problemsOf(document).map(({ line, column, message }) => `${line}:${column} ${message}`);
    expect(found.join('\n')).toBe(messages);
  });

  it('tell an absent value when an event comes without it', () => {
    const [{ document, messages } = { document: '', messages: '' }] = shown('absent');
    const event = { ...paidOrder({ payment: undefined }), type: 'order.created' as const };
    expect(run(document, event)).toMatchObject({ refused: { reason: messages } });
  });
});
