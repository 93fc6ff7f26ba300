import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupController } from '../../src/admin/backup.controller';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { createLogger, PinoLoggerService } from '../../src/ops/logging';
import { ponte, type Ran } from '../support/command-line';
import { embeddedDataDir } from '../support/database';
import { OPERATORS_KEY, TestService } from '../support/service';
import { until } from '../support/until';

let folder: string;
let place: { dataDir: string; drop(): Promise<void> };
let service: TestService;
let stalled: Socket | undefined;
const log: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-stalled-'));
  place = await embeddedDataDir();
  const database = await PgliteDatabase.open(place.dataDir);
  const logger = createLogger(
    { logFormat: 'json', logLevel: 'info' },
    { write: (line) => void log.push(line) },
  );
  service = await TestService.start(database, { DATA_DIR: place.dataDir }, new PinoLoggerService(logger));
});
afterAll(async () => {
  stalled?.destroy();
  await service.stop();
  await place.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for a backup, reads how the answer begins, and nothing more. */
async function stalledDownload(): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  const headers = `Host: ponte\r\nAuthorization: Bearer ${OPERATORS_KEY}\r\nContent-Length: 0`;
  socket.write(`POST /admin/backup HTTP/1.1\r\n${headers}\r\n\r\n`);
  const [begun] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(begun.toString('latin1')).toMatch(/^HTTP\/1.1 200/);
  return socket;
}

const backUp = (file: string): Promise<Ran> =>
  ponte(['backup', file], { env: { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY } });

it('a backup of which nothing is taken any more is ended and its copy removed, the log says why, and the next one is made', async () => {
  // More than a connection holds that nobody reads from.
  const filling = join(place.dataDir, 'postgres', 'random');
  writeFileSync(filling, randomBytes(32 * 1024 * 1024));
  const backups = service.part(BackupController) as unknown as { stalledMs: number };
  const usual = backups.stalledMs;
  backups.stalledMs = 200;
  stalled = await stalledDownload();
  backups.stalledMs = usual;
  await until(() => log.some((line) => line.includes('the reader took nothing for 0.2 s')));
  rmSync(filling);
  const file = join(folder, 'next.backup');
  const ran = await backUp(file);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The backup is whole')]);
  await until(() => !readdirSync(place.dataDir).includes('postgres.backup'));
});
