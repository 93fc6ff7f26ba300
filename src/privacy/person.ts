import type { PersonNamed } from '../events/privacy';
import { type Identifiers, noIdentifiers } from './identifiers';

/** How the business key of a customer begins who was erased. */
export const ERASED_KEY = 'customer/erased/';

/** A person with all that is theirs, as far as it was found. */
export interface Person {
  /** What they were asked for by. */
  readonly asked: PersonNamed;
  readonly known: Identifiers;
  /** Customers, and suppliers and partners who are people: identifiers. */
  readonly stakeholders: string[];
  /** Identifiers of these, of their schedules and of what was booked on them. */
  readonly records: string[];
  /** Deliveries about them or their orders: identifiers. */
  readonly deliveries: string[];
  /** Business keys under which the person was made a customer. */
  readonly customerEffects: string[];
  /** Documents that the records found have, where there are several: then it is not known who is meant. */
  readonly documentsOfRecords: number;
}

export function personAsked(asked: PersonNamed): Person {
  return {
    ...{ asked, known: noIdentifiers(), stakeholders: [], records: [], deliveries: [], customerEffects: [] },
    documentsOfRecords: 0,
  };
}

/** Whether nothing was found. */
export function isUnknown({ stakeholders, deliveries }: Person): boolean {
  return stakeholders.length === 0 && deliveries.length === 0;
}
