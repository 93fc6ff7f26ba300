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
import { ruleSchema } from '../../src/rules/rule-schema';
import { referencePage } from './reference-page';

// `npm run docs:reference`: writes docs/reference.md and docs/rule.schema.json out of the code.

const PAGE = 'docs/reference.md';
const SCHEMA = 'docs/rule.schema.json';

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
    await write(PAGE, referencePage(document));
    await write(SCHEMA, JSON.stringify(ruleSchema()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(filepath: string, text: string): Promise<void> {
  const options = await resolveConfig(filepath);
  writeFileSync(filepath, await format(text, { ...options, filepath }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
