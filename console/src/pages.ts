import type { ComponentType } from 'preact';
import { Account } from './pages/account';
import { Audit } from './pages/audit';
import { Books } from './pages/books';
import { Completeness } from './pages/completeness';
import { Customer } from './pages/customer';
import { Customers } from './pages/customers';
import { Deliveries } from './pages/deliveries';
import { Delivery } from './pages/delivery';
import { Keys } from './pages/keys';
import { Needs } from './pages/needs';
import { NewSource } from './pages/new-source';
import { Notifications } from './pages/notifications';
import { Order } from './pages/order';
import { Organization } from './pages/organization';
import { Payments } from './pages/payments';
import { Receivables } from './pages/receivables';
import { NewRule, Rule } from './pages/rules/rule';
import { Rules } from './pages/rules/rules';
import { LookupTable } from './pages/rules/table';
import { Source } from './pages/source';
import { Sources } from './pages/sources';
import { Today } from './pages/today';
import { texts, type Translated } from './texts';

/** A page of an organization. */
export interface Page {
  /** Parts of its address below the organization's; `:name` stands for any one part. */
  readonly path: readonly string[];
  readonly Shown: ComponentType;
  /** What the menu calls it; absent: it is not in the menu. */
  readonly menu?: Translated<{ name: string }>;
  /** The letter that leads to it after `g`. */
  readonly key?: string;
}

const named = (english: string, portuguese: string): Translated<{ name: string }> =>
  texts({ name: english }, { name: portuguese });

/** Every page, in the order of the menu. */
export const PAGES: readonly Page[] = [
  { path: [], Shown: Today, menu: named('Today', 'Hoje'), key: 't' },
  { path: ['payments'], Shown: Payments },
  { path: ['needs'], Shown: Needs, menu: named('Needs a person', 'Precisa de alguém'), key: 'n' },
  { path: ['deliveries'], Shown: Deliveries, menu: named('Webhooks', 'Webhooks'), key: 'w' },
  { path: ['deliveries', ':id'], Shown: Delivery },
  { path: ['orders'], Shown: Order },
  { path: ['books'], Shown: Books, menu: named('Books', 'Financeiro'), key: 'b' },
  { path: ['books', 'accounts', ':id'], Shown: Account },
  { path: ['books', 'receivables'], Shown: Receivables },
  { path: ['books', 'customers'], Shown: Customers },
  { path: ['customers', ':id'], Shown: Customer },
  { path: ['completeness'], Shown: Completeness, menu: named('Completeness', 'Conciliação'), key: 'c' },
  { path: ['rules'], Shown: Rules, menu: named('Rules', 'Regras'), key: 'r' },
  { path: ['rules', ':name'], Shown: Rule },
  { path: ['new-rule'], Shown: NewRule },
  { path: ['tables', ':name'], Shown: LookupTable },
  { path: ['sources'], Shown: Sources, menu: named('Sources', 'Origens'), key: 's' },
  { path: ['sources', 'new'], Shown: NewSource },
  { path: ['sources', ':slug'], Shown: Source },
  { path: ['notifications'], Shown: Notifications, menu: named('Notifications', 'Avisos'), key: 'm' },
  { path: ['keys'], Shown: Keys, menu: named('Keys', 'Chaves'), key: 'k' },
  { path: ['organization'], Shown: Organization, menu: named('Organization', 'Organização'), key: 'o' },
  { path: ['audit'], Shown: Audit, menu: named('Audit log', 'Auditoria'), key: 'a' },
];
