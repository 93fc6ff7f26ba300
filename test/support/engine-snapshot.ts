import type { PGlite } from '@electric-sql/pglite';

/** A file or folder in memory, as PGlite's file system has it. */
export interface Inode {
  /** Bytes of a file, or what a folder has by name. */
  contents: unknown;
  /** Of a file: its length. `contents` may be longer. */
  usedBytes: number;
  /** When something was last written to it. */
  mtime: number;
  /** The next in the same chain of the table that finds files by their names. */
  name_next?: Inode;
}

export interface MemoryFiles {
  createNode(parent: Inode, name: string, mode: number, device: number): Inode;
}

/** A file that is or was open. PostgreSQL says with each reading and writing where in the file it is. */
interface Stream {
  /** Its number; null: closed. */
  fd: number | null;
}

interface KeptFile {
  readonly node: Inode;
  readonly was: Inode;
  /** What was put into it, which the engine writes into. */
  contents: unknown;
}

/** What PGlite's engine consists of beside its code, which never changes. It comes without types. */
interface Engine {
  HEAPU8: Uint8Array;
  FS: {
    /** By the number that a name gives: the first of a chain. */
    nameTable: (Inode | undefined)[];
    /** By their number, which PostgreSQL remembers. */
    streams: (Stream | null)[];
  };
}

/** The time at which a file was written that has not been written since. */
const BEFORE = 0;

/** Bytes by which an engine's memory may grow before it is not worth keeping. */
const MOST_GROWN = 64 * 1024 * 1024;

/** Bytes of a page of the engine's memory. */
const PAGE = 64 * 1024;
const EMPTY = Buffer.alloc(PAGE);

/**
 * What an embedded engine is like at one moment, while it does nothing: its memory, its files, and which of them are
 * open. It can be put back to that as often as one likes, and knows nothing of what happened in between.
 */
export class EngineSnapshot {
  private readonly engine: Engine;
  /** By their offsets: the pages that are not empty. */
  private readonly memory = new Map<number, Buffer>();
  private readonly memoryBytes: number;
  private readonly chains: (Inode | undefined)[];
  private readonly files: readonly KeptFile[];
  private readonly streams: readonly { stream: Stream | null; was: Partial<Stream> }[];

  constructor(private readonly pglite: PGlite) {
    this.engine = pglite.Module as unknown as Engine;
    const { HEAPU8, FS } = this.engine;
    this.memoryBytes = HEAPU8.length;
    for (const [offset, page] of pagesOf(HEAPU8))
      if (!isEmpty(page)) this.memory.set(offset, Buffer.from(page));
    this.chains = [...FS.nameTable];
    this.files = [...nodesIn(FS.nameTable)].map((node) => {
      node.mtime = BEFORE;
      return { node, was: copyOf(node), contents: node.contents };
    });
    this.streams = Array.from(FS.streams, (stream) => ({ stream, was: { ...stream } }));
  }

  /** Whether it can be put back: not in the middle of a transaction, and not when it has become large. */
  canRestore(): boolean {
    return !this.pglite.isInTransaction() && this.engine.HEAPU8.length - this.memoryBytes <= MOST_GROWN;
  }

  restore(): void {
    const { HEAPU8, FS } = this.engine;
    for (const [offset, page] of pagesOf(HEAPU8)) {
      const was = this.memory.get(offset);
      if (was) page.set(was);
      else if (!isEmpty(page)) page.fill(0);
    }
    FS.nameTable.splice(0, FS.nameTable.length, ...this.chains);
    for (const file of this.files) {
      if (!isUnwritten(file)) file.contents = copyOf(file.was).contents;
      Object.assign(file.node, file.was, { contents: file.contents });
    }
    FS.streams.splice(0, FS.streams.length, ...this.streams.map(({ stream }) => stream));
    for (const { stream, was } of this.streams) if (stream) Object.assign(stream, was);
  }
}

function* pagesOf(memory: Uint8Array): Generator<[offset: number, page: Buffer]> {
  for (let offset = 0; offset < memory.length; offset += PAGE)
    yield [offset, Buffer.from(memory.buffer, offset, PAGE)];
}

/** Without writing to it: the system gives memory to a page when something is written there. */
function isEmpty(page: Buffer): boolean {
  return page.equals(EMPTY);
}

function* nodesIn(table: readonly (Inode | undefined)[]): Generator<Inode> {
  for (const first of table) for (let node = first; node; node = node.name_next) yield node;
}

/** Nine files of ten are only read: to copy all would take longer than all else. Another length is another array. */
function isUnwritten({ node, was, contents }: KeptFile): boolean {
  return (
    contents instanceof Uint8Array &&
    node.contents === contents &&
    node.usedBytes === was.usedBytes &&
    node.mtime === BEFORE
  );
}

/** With contents of its own. */
function copyOf(node: Inode): Inode {
  const { contents } = node;
  if (contents instanceof Uint8Array) return { ...node, contents: contents.slice(0, node.usedBytes) };
  return { ...node, contents: contents && { ...contents } };
}
