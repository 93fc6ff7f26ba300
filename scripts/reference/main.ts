import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { format, resolveConfig } from 'prettier';
import { readConfiguration } from '../../src/config/configuration';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { startService } from '../../src/service';
import { referencePage } from './reference-page';

// `npm run docs:reference`: writes docs/reference.md out of the code.

const PAGE = 'docs/reference.md';

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-reference-'));
  try {
    const settings = new Settings({ DATA_DIR: folder, PORT: '0' });
    const service = await startService(
      settings,
      readConfiguration('config', {}),
      await openDatabase(settings),
    );
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    await service.stop();
    const options = await resolveConfig(PAGE);
    writeFileSync(PAGE, await format(referencePage(document), { ...options, filepath: PAGE }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
