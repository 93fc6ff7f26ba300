import type { Option } from 'commander';
import { option, required, wholeNumber } from './definition';

/** Options that several commands share, with the words they are explained in. */

/** In examples. */
export const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';

export interface ReasonOptions {
  reason?: string;
}

export const REASON = option('--reason <text>', 'why; stands in the audit log');
export const NEEDED_REASON = required('--reason <text>', 'why; stands in the audit log');

export const PAGING: readonly Option[] = [
  wholeNumber('--limit <n>', 'how many at once, 500 at most (default: 50, with --all 500)'),
  option('--after <id>', 'go on behind this item'),
  option('--all', 'page through to the end'),
];

/** @param what came in or happened then */
export function period(what: string): Option[] {
  return [
    option('--from <instant>', `${what} at this instant or later, ISO 8601 with an offset`),
    option('--to <instant>', `${what} before this instant`),
  ];
}

export interface PlanOptions {
  yes?: boolean;
  dryRun?: boolean;
}

export const PLAN: readonly Option[] = [
  option('--yes', 'do it without asking'),
  option('--dry-run', 'show the plan and change nothing'),
];

/** What narrows a choice of deliveries. */
export const DELIVERY_FILTERS: readonly Option[] = [
  option('--source <slug>', 'only of this source'),
  option('--topic <topic>', "only of this topic, in the provider's words"),
  option('--business-key <key>', 'only about this order or customer'),
  ...period('received'),
];
