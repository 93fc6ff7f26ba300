import { Controller, Get, Param, Put } from '@nestjs/common';
import { Database } from '../../database/database';
import { Catalog } from '../../deliveries/catalog';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { jsonPointer } from '../../kernel/json-pointer';
import type { LosslessJson } from '../../kernel/lossless-json';
import type { Organization } from '../../kernel/organization';
import { type FieldError, Problem } from '../../kernel/problem';
import { MAX_DOCUMENT_BYTES } from '../../rules/document/yaml-nodes';
import { LookupTable } from '../../rules/lookup-table';
import { RulesRepository } from '../../rules/rules.repository';
import { entryProblem, isTableName, TABLE_NAME_MESSAGE } from '../../rules/table-entries';
import { AuditRepository } from '../audit.repository';
import { Answers } from '../operation';
import { TableWarnings } from './table-warnings.repository';
import { TableBody, TableList, TableView } from './tables.dto';

/** Every replica holds all of them in memory, and lists show them whole. */
const MOST_TABLES = 200;
/** More than a person reads at once. */
const MOST_ERRORS = 100;

/** What rules look things up in. */
@OperatorsApi('Rules')
@Controller('admin/organizations/:org/tables')
export class TablesController {
  constructor(
    private readonly database: Database,
    private readonly rules: RulesRepository,
    private readonly catalog: Catalog,
    private readonly audit: AuditRepository,
    private readonly warnings: TableWarnings,
  ) {}

  @Get()
  @Answers(TableList, 'List the lookup tables, all of them, by name')
  async list(@CurrentOrganization() organization: Organization): Promise<TableList> {
    const tables = await this.rules.tables(organization.id);
    const sources = await this.warnings.sourcesOf(organization.id);
    return { items: [...tables.values()].map((table) => viewOf(table, sources)), after: null };
  }

  @Get(':name')
  @Answers(TableView, 'Show a lookup table')
  async show(
    @CurrentOrganization() organization: Organization,
    @Param('name') name: string,
  ): Promise<TableView> {
    const table = isTableName(name) ? await this.rules.findTable(organization.id, name) : undefined;
    if (!table) throw new Problem('not-found', 'There is no such table');
    return viewOf(table, await this.warnings.sourcesOf(organization.id));
  }

  /**
   * A table never goes away, so a rule that names one stays right.
   * @throws Problem validation-failed; conflict when there are too many tables
   */
  @Put(':name')
  @Answers(TableView, 'Make a lookup table, or replace its entries')
  async put(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(TableBody) { entries, reason }: TableBody,
  ): Promise<TableView> {
    const table = checked(name, entries);
    const { id: organizationId } = actor.organization;
    const now = await this.rules.findTable(organizationId, name);
    const view = viewOf(table, await this.warnings.sourcesOf(organizationId));
    if (now && isSame(now, table)) return view;
    await this.database.transaction(async (tx) => {
      await this.catalog.changed(tx);
      const before = await this.rules.findTable(organizationId, name, tx);
      if (before && isSame(before, table)) return;
      if (!before && (await this.rules.tableNames(organizationId, tx)).size >= MOST_TABLES)
        throw new Problem('conflict', `An organization has at most ${MOST_TABLES} tables`);
      await this.rules.putTable(tx, organizationId, table);
      await this.audit.record(tx, actor, {
        action: 'table.put',
        subject: name,
        before: before && { entries: Object.fromEntries(before.entries) },
        after: { entries: Object.fromEntries(table.entries) },
        reason,
      });
    });
    await this.catalog.refresh();
    return view;
  }
}

function viewOf(table: LookupTable, sources: ReadonlySet<string>): TableView {
  const { name, entries } = table;
  return { name, entries: Object.fromEntries(entries), warnings: table.warnings(sources) };
}

/** As a document of the configuration folder is checked. @throws Problem validation-failed */
function checked(name: string, entries: ReadonlyMap<string, LosslessJson>): LookupTable {
  const errors: FieldError[] = [];
  if (!isTableName(name)) errors.push({ pointer: '', code: 'name', message: TABLE_NAME_MESSAGE });
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const [key, value] of entries) {
    const problem = typeof value === 'string' ? entryProblem(key, value) : 'must be text';
    if (problem !== undefined)
      errors.push({ pointer: jsonPointer(['entries', key]), code: 'entry', message: problem });
    else if (typeof value === 'string') texts.set(key, value);
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (bytes > MAX_DOCUMENT_BYTES) {
    const message = `keys and values are more than ${MAX_DOCUMENT_BYTES / 1024} KiB together`;
    errors.unshift({ pointer: '/entries', code: 'size', message });
  }
  if (errors.length === 0) return new LookupTable(name, texts);
  throw new Problem('validation-failed', 'The table is not acceptable', {
    errors: errors.slice(0, MOST_ERRORS),
  });
}

function isSame({ entries: left }: LookupTable, { entries: right }: LookupTable): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);
}
