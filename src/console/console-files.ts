import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** A file of the console, as it is sent. */
export interface ConsoleFile {
  readonly content: Buffer;
  readonly type: string;
  /** `br` or `gzip`; undefined: as it is. */
  readonly encoding: string | undefined;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** By preference, with the ending of the files that the build has compressed. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
const PAGE = 'index.html';
/** What the build makes beside the page. */
const ASSET = /^assets\/[\w-]+(?:\.[\w-]+)+$/;

/** The files that `npm run build` makes of `console/`. Nothing is read before somebody asks, and nothing is kept. */
@Injectable()
export class ConsoleFiles {
  constructor(private readonly folder = builtConsole()) {}

  /**
   * @param path below `/console/`; what has no ending is an address within the page, and is sent the page
   * @param accepted encodings, as the header `Accept-Encoding` has them
   * @returns undefined: there is no such file, or the console is not built
   */
  async find(path: string, accepted: string): Promise<ConsoleFile | undefined> {
    const name = extname(path) === '' ? PAGE : path;
    const type = TYPES[extname(name)];
    const isImmutable = ASSET.test(name);
    if (type === undefined || (name !== PAGE && !isImmutable)) return undefined;
    for (const [encoding, ending] of ENCODINGS) {
      const content = accepts(accepted, encoding) ? await this.read(`${name}${ending}`) : undefined;
      if (content) return { content, type, encoding, isImmutable };
    }
    const content = await this.read(name);
    return content && { content, type, encoding: undefined, isImmutable };
  }

  private async read(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

function accepts(header: string, encoding: string): boolean {
  return header
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [word, ...parameters] = part.split(';').map((text) => text.trim());
      return word === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
    });
}

/** Beside the compiled service; a service that runs from its sources has it where the last build left it. */
function builtConsole(): string {
  const beside = join(__dirname, '../../console');
  return existsSync(join(beside, 'assets')) ? beside : join(__dirname, '../../dist/console');
}
