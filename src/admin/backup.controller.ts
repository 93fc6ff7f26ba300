import { finished } from 'node:stream/promises';
import { Controller, HttpCode, Logger, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { writeArchive } from '../backup/archive/write-archive';
import { CopyError } from '../database/cluster-copy';
import { Database, type FilesCopy } from '../database/database';
import { EMBEDDED_POSTGRESQL } from '../database/data-directory';
import { ApiProblems, OperatorsApi } from '../http/api';
import { type Caller, CurrentCaller } from '../http/caller';
import { Problem } from '../kernel/problem';
import { VERSION } from '../kernel/version';
import { AuditRepository } from './audit.repository';
import { lastMigration } from './last-migration.repository';

const MEDIA_TYPE = 'application/gzip';
/** Of a reply of which nothing is taken for so long, in milliseconds, the reader is given up: a slow one takes something. */
const STALLED_MS = 5 * 60_000;

/** The embedded database as one file, while the service goes on. */
@OperatorsApi('Backup')
@Controller('admin/backup')
export class BackupController {
  /** Milliseconds in which a reader has to take something. */
  protected stalledMs = STALLED_MS;
  private readonly logger = new Logger('backup');

  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws Problem scope-missing for any but the operators' key; conflict on PostgreSQL, and where there is no room */
  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'backup.make',
    summary: "Make a backup of the embedded database while it runs; operators' key only",
    description:
      'All organizations, as one moment has them: a tar archive, compressed with gzip, with a checksum of each file. ' +
      '`ponte backup` stores and checks it. The key that secrets are encrypted with is not in it.',
  })
  @ApiProduces(MEDIA_TYPE)
  @ApiOkResponse({
    description: 'The archive. A reply that is cut off is noticed by its checksums',
    content: { [MEDIA_TYPE]: { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems('conflict')
  async make(@CurrentCaller() caller: Caller, @Res() reply: FastifyReply): Promise<void> {
    if (!caller.isOperator)
      throw new Problem('scope-missing', "Only the operators' key makes a backup: it has every organization");
    // Committed before, so that the copy has it as well.
    await this.database.transaction((tx) =>
      this.audit.record(tx, caller, { action: 'backup.make', subject: 'database' }),
    );
    const copy = await this.copy();
    try {
      await this.send(copy, reply);
    } finally {
      await copy.remove();
    }
  }

  private async copy(): Promise<FilesCopy> {
    const copy = await this.database.copyFiles().catch((error: unknown) => {
      if (error instanceof CopyError) throw new Problem('conflict', error.message);
      throw error;
    });
    if (copy) return copy;
    throw new Problem(
      'conflict',
      'This database is not the embedded one: back it up with pg_dump, or with a base backup and its write-ahead log',
    );
  }

  private async send({ folder, at, tookMs }: FilesCopy, reply: FastifyReply): Promise<void> {
    const migration = await lastMigration(this.database);
    const origin = { ponte: VERSION, migration, postgresql: EMBEDDED_POSTGRESQL, at: at.toISOString() };
    const archive = await writeArchive(folder, origin);
    const { stalledMs } = this;
    let why = 'the reply was cut off';
    // Meanwhile the copy takes room on the disk and keeps every other backup out.
    reply.raw.setTimeout(stalledMs, () => {
      // The archive is not as fast as that; the reader waits.
      if (reply.raw.writableLength === 0) return;
      why = `the reader took nothing for ${stalledMs / 1000} s, and the reply was cut off`;
      reply.raw.destroy();
    });
    void reply.header('content-disposition', `attachment; filename="ponte-${VERSION}.backup"`);
    void reply.type(MEDIA_TYPE).send(archive);
    try {
      await finished(reply.raw);
      this.logger.log({ msg: 'backup: made and sent', at: origin.at, copiedInMs: tookMs });
    } catch {
      // Who asked has gone or takes nothing, or the archive failed: the reply is cut off, and its reader notices.
      archive.destroy();
      this.logger.warn({ msg: `backup: ${why}; ask for another backup`, at: origin.at });
    }
  }
}
