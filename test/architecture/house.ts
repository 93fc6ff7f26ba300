import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** One room of architecture.yaml. */
export interface Room {
  name: string;
  files: string[];
  holds: string;
  mayImport: string[];
}

/** The rooms as architecture.yaml lists them. */
export const ROOMS = (
  parse(readFileSync(join(__dirname, '../../architecture.yaml'), 'utf8')) as { rooms: Room[] }
).rooms;
