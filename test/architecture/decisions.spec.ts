import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const FOLDER = 'docs/adr';
const SECTIONS = ['Status', 'Context', 'Decision', 'Consequences'];
/** What the status of a record says of another one, and what the other one has to say of it. */
const OPPOSITE: Readonly<Record<string, string>> = {
  supersedes: 'superseded by',
  'superseded by': 'supersedes',
  changes: 'changed by',
  'changed by': 'changes',
};

interface Decision {
  file: string;
  number: number;
  title: string;
  text: string;
  /** What it says of others in its status: `changed by 0070`. */
  relations: string[];
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** What stands under a heading, up to the next one of its level. */
function section(text: string, name: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? '';
}

/** `supersedes 0043` and the like: each verb holds for the links that follow it. */
function relationsOf(status: string): string[] {
  const words = status.matchAll(
    /\b(superseded\s+by|supersedes|changed\b.*?\bby|changes)\b|\[ADR (\d{4})\]/gis,
  );
  let verb = '';
  return [...words].flatMap(([, said, number]) => {
    if (said !== undefined) verb = said.toLowerCase().replace(/\s.*\s|\s+/s, ' ');
    return number === undefined ? [] : [`${verb} ${number}`];
  });
}

function padded(number: number): string {
  return String(number).padStart(4, '0');
}

const decisions: Decision[] = readdirSync(join(ROOT, FOLDER))
  .filter((file) => file !== 'README.md')
  .toSorted()
  .map((file) => {
    const text = read(`${FOLDER}/${file}`);
    const [, number = 'NaN', title = ''] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
    return {
      file,
      number: Number(number),
      title,
      text,
      relations: relationsOf(section(text, 'Status')),
    };
  });

/** The anchors that a page offers. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Links within the repository that lead nowhere. */
function brokenLinks(page: string): string[] {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, inline, defined]) => inline ?? defined ?? '',
  );
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

describe('the decision records', () => {
  it('are numbered from 1 without a gap, and each file is named by its number', () => {
    expect(decisions.map(({ number }) => number)).toEqual(decisions.map((_, index) => index + 1));
    const misnamed = decisions.filter(
      ({ file, number }) => !new RegExp(`^${padded(number)}-[a-z0-9-]+\\.md$`).test(file),
    );
    expect(misnamed.map(({ file }) => file)).toEqual([]);
  });

  it.each(decisions.map((decision) => [decision.file, decision] as const))(
    '%s has its four sections, with something in each, and a date',
    (_, { text }) => {
      expect([...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(SECTIONS);
      const empty = SECTIONS.filter((name) => section(text, name).replace(name, '').trim() === '');
      expect(empty).toEqual([]);
      expect(section(text, 'Status')).toMatch(/^Accepted, \d{4}-\d\d-\d\d[.;]/m);
    },
  );

  it('say of each other the same from both sides', () => {
    const said = decisions.flatMap(({ number, relations }) =>
      relations.map((relation) => `${padded(number)} ${relation}`),
    );
    const opposite = said.map((relation) => {
      const [, from = '', verb = '', to = ''] = /^(\d+) (.+) (\d+)$/.exec(relation) ?? [];
      return `${to} ${OPPOSITE[verb]} ${from}`;
    });
    expect(said.length).toBeGreaterThan(0);
    expect(said.toSorted()).toEqual(opposite.toSorted());
  });

  it('stand in the table with their titles and with what became of them', () => {
    const rows = [
      ...read(`${FOLDER}/README.md`).matchAll(/^\| (\d{4})\s+\| \[(.+?)\]\((.+?)\)\s+\| (.+?)\s+\|$/gm),
    ];
    const listed = rows.map(([, number = '', title = '', file = '', status = '']) => ({
      number: Number(number),
      title,
      file,
      became: relationsOf(status),
    }));
    const kept = decisions.map(({ number, title, file, relations }) => {
      const later = relations.filter((relation) => /^(superseded|changed) by/.test(relation));
      const final = later.filter((relation) => relation.startsWith('superseded'));
      return { number, title, file, became: final.length > 0 ? final : later };
    });
    expect(listed.toSorted((left, right) => left.number - right.number)).toEqual(kept);
  });
});

describe('ARCHITECTURE.md', () => {
  it('stays a page that can be read at once', () => {
    expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThan(300);
  });
});

describe('links', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);

  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages])(
    'of %s lead somewhere',
    (page) => {
      expect(brokenLinks(page)).toEqual([]);
    },
  );
});
