import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { parse as parseYaml } from 'yaml';
import { wrongUsage } from './failure';
import { type Fields } from './output/values';
import type { Terminal } from './terminal';
import { hasUnprintable } from '../kernel/text';
import { isObject } from '../kernel/json-object';

/** More than Ponte takes of any document or webhook. */
const LARGEST_FILE = 4 * 1024 * 1024;
const LARGEST_SECRET = 16 * 1024;

/** Reads files that the command line names; `-` is the standard input. */
export class Files {
  constructor(private readonly terminal: Terminal) {}

  /** @throws Failure of wrong usage when it cannot be read or holds more than 4 MiB */
  async bytes(path: string): Promise<Buffer> {
    return this.read(path, LARGEST_FILE);
  }

  /** @throws Failure of wrong usage, also when it is not UTF-8 */
  async text(path: string): Promise<string> {
    return decoded(await this.bytes(path), path);
  }

  /** A YAML or JSON mapping. @throws Failure of wrong usage that never quotes the file */
  async mapping(path: string): Promise<Fields> {
    const content: unknown = read(await this.text(path), path);
    if (!isObject(content)) throw wrongUsage(`${path} is no mapping of names to values`);
    return content;
  }

  /** A key or secret: what the file holds, less the line's end. @throws Failure of wrong usage that never quotes it */
  async secret(path: string): Promise<string> {
    const secret = decoded(await this.read(path, LARGEST_SECRET), path).replace(/\r?\n$/, '');
    return usableSecret(secret, path);
  }

  /** The parts of a file as they are read, however large it is. @throws Failure of wrong usage when it cannot be read */
  async *parts(path: string): AsyncGenerator<Buffer> {
    const stream: Readable = path === '-' ? this.terminal.input : createReadStream(path);
    const parts = stream[Symbol.asyncIterator]();
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        const code = isObject(error) && typeof error['code'] === 'string' ? ` (${error['code']})` : '';
        throw wrongUsage(`${nameOf(path)} cannot be read${code}`);
      });
      if (part.done) return;
      yield Buffer.from(part.value as Uint8Array);
    }
  }

  private async read(path: string, most: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.parts(path)) {
      parts.push(part);
      size += part.length;
      if (size > most) throw wrongUsage(`${nameOf(path)} holds more than ${most} bytes`);
    }
    return Buffer.concat(parts);
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'the standard input' : path;
}

/** @throws Failure of wrong usage when it is empty or holds what no key or secret does */
export function usableSecret(secret: string, from: string): string {
  if (secret.trim() === '') throw wrongUsage(`${from} holds no secret`);
  if (hasUnprintable(secret)) throw wrongUsage(`${from} holds more than one line, or control characters`);
  return secret;
}

function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongUsage(`${name} is not UTF-8`);
  }
}

function read(text: string, path: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    const positions = isObject(error) ? error['linePos'] : undefined;
    const at: unknown = Array.isArray(positions) ? positions[0] : undefined;
    const place = isObject(at) ? ` (line ${String(at['line'])}, column ${String(at['col'])})` : '';
    throw wrongUsage(`${path} is neither YAML nor JSON${place}`);
  }
}
