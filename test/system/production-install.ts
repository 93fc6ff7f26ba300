import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './pages';

/** What the README's production install leaves in the folder, beside `node_modules`. */
const INSTALLED = [
  ...['package.json', 'package-lock.json', '.npmrc', 'scripts', 'dist'],
  ...['prisma/migrations', 'config', 'docs/examples'],
];

/**
 * Installs the built service as the README says for production: without development packages and sources.
 * @param folder gets it; it should be empty
 * @returns path of its `main.js`
 */
export async function installForProduction(folder: string): Promise<string> {
  for (const path of INSTALLED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  await promisify(execFile)('npm', ['ci', '--omit=dev', '--omit=optional'], { cwd: folder });
  return join(folder, 'dist/src/main.js');
}
