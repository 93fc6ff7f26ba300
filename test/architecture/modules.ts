import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** One module of architecture.yaml. */
export interface Module {
  name: string;
  files: string[];
  holds: string;
  mayImport: string[];
}

/** The modules as architecture.yaml lists them. */
export const MODULES = (
  parse(readFileSync(join(__dirname, '../../architecture.yaml'), 'utf8')) as { modules: Module[] }
).modules;
