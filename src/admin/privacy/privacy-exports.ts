import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { decodeAnswers } from '../../deliveries/fetch-back/fetched-answers';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { utf8Text } from '../../kernel/text';
import {
  type ExportedDelivery,
  type ExportedRecords,
  MOST_ROWS,
  PersonExport,
} from '../../privacy/person-export.repository';
import { AuditRepository } from '../audit.repository';
import { Privacy, withoutPerson } from './privacy';
import type { PrivacyExportBody, PrivacyExportView } from './privacy.dto';

/** Deliveries of one page, and bytes of their bodies. */
const PAGE = 50;
const PAGE_BYTES = 8 * 1024 * 1024;

/** Makes a copy of what is stored of a person. */
@Injectable()
export class PrivacyExports {
  constructor(
    private readonly database: Database,
    private readonly privacy: Privacy,
    private readonly copies: PersonExport,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** Who asked stands in the audit log, or nothing is shown. @throws Problem as `Privacy.find`; malformed-request */
  async export(
    actor: Actor,
    { after, reason, ...asked }: PrivacyExportBody,
    signal: AbortSignal,
  ): Promise<PrivacyExportView> {
    const { organization } = actor;
    const { named, person } = await this.privacy.find(organization, asked, signal);
    const ids = [...person.deliveries].sort();
    if (after !== undefined && !ids.includes(after))
      throw new Problem('malformed-request', 'after must be what the page before has');
    const left = ids.filter((id) => after === undefined || id > after);
    const rows = await this.copies.deliveries(organization.id, left.slice(0, PAGE));
    const page = fitting(rows);
    const lists = after === undefined ? await this.copies.records(organization.id, person) : NO_LISTS;
    const digest = this.privacy.digestOf(organization, named);
    const requests = after === undefined ? await this.copies.requests(organization.id, digest) : [];
    const lastOfPage = page.at(-1)?.id;
    await this.database.transaction((tx) =>
      this.audit.record(tx, actor, {
        ...{ action: 'privacy.export', subject: digest, reason: withoutPerson(reason, person) },
        after: { person: digest, deliveries: page.length },
      }),
    );
    return {
      ...{ madeAt: this.clock.now(), ...lists, requests, deliveriesInAll: ids.length },
      complete: Object.values<unknown[]>({ ...lists }).every((list) => list.length < MOST_ROWS),
      deliveries: page.map(viewOf),
      after: page.length < left.length && lastOfPage !== undefined ? lastOfPage : null,
    };
  }
}

const NO_LISTS: ExportedRecords = {
  customers: [],
  schedules: [],
  entries: [],
  changes: [],
  notifications: [],
};

/** As many as a page takes; one at least. */
function fitting(rows: readonly ExportedDelivery[]): ExportedDelivery[] {
  let bytes = 0;
  return rows.filter(({ body, fetched }, index) => {
    bytes += (body?.length ?? 0) + (fetched?.length ?? 0);
    return index === 0 || bytes <= PAGE_BYTES;
  });
}

function viewOf({ body, fetched, ...delivery }: ExportedDelivery): PrivacyExportView['deliveries'][number] {
  const text = body && utf8Text(Buffer.from(body));
  return {
    ...delivery,
    body: text ?? null,
    ...(body && text === undefined && { base64: Buffer.from(body).toString('base64') }),
    fetched: fetched
      ? decodeAnswers(fetched).map(({ name, status, body: bytes }) => ({
          name,
          status,
          text: bytes.toString('utf8'),
        }))
      : [],
  };
}
