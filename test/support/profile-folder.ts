import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A rule that makes a customer for each paid order. @param text stands in the customer's name, to tell versions apart */
export function namedRule(rule: string, text = 'as filed'): string {
  return `rule: ${rule}
when: { event: order.paid }
then:
  - id: customer
    do: customer.ensure
    with: { name: '\${order.customer.name} ${rule} ${text}' }
`;
}

/** What each {@link ProfileFolder} has, by path: one rule of all, one of each profile, and one of both. */
const SMALL: Readonly<Record<string, string>> = {
  'organizations.yaml': 'organizations: [{ slug: main, name: Main }]',
  'rules/common.yaml': namedRule('common'),
  'profiles/cash/both.yaml': namedRule('both', 'in cash'),
  'profiles/cash/only-cash.yaml': namedRule('only-cash'),
  'profiles/accrual/both.yaml': namedRule('both', 'in accrual'),
  'profiles/accrual/only-accrual.yaml': namedRule('only-accrual'),
  'profiles/own/only-own.yaml': namedRule('only-own'),
};

/** A configuration folder of a test's own. */
export class ProfileFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ponte-profiles-'));

  /** @param files texts by path, instead of those of every such folder or beside them */
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [file, text] of Object.entries({ ...SMALL, ...files })) this.write(file, text);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
