import type { PGlite } from '@electric-sql/pglite';

/** A file or folder in memory, as PGlite's file system has it. */
export interface Inode {
  /** Bytes of a file, or what a folder has by name. */
  contents: unknown;
  /** Of a file: its length. `contents` may be longer. */
  usedBytes: number;
  /** The next in the same chain of the table that finds files by their names. */
  name_next?: Inode;
}

export interface MemoryFiles {
  createNode(parent: Inode, name: string, mode: number, device: number): Inode;
  /** What is done to files; the same object for all of an engine. */
  ops_table: { file: { stream: { write: Write } } };
}

type Write = (stream: { node: Inode }, ...what: unknown[]) => number;

/** A file that is or was open. PostgreSQL says with each reading and writing where in the file it is. */
interface Stream {
  /** Its number; null: closed. */
  fd: number | null;
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

/** Bytes by which an engine's memory may grow before it is not worth keeping. */
const MOST_GROWN = 64 * 1024 * 1024;

/** Bytes of a page of the engine's memory. */
const PAGE = 64 * 1024;
const EMPTY = Buffer.alloc(PAGE);

/** Contents that are those of several files, in several engines or in what one is put back to. */
const shared = new WeakSet<object>();

/** Lets files of an engine have contents that others have too: whoever writes to one first gets contents of its own. */
export function copyBeforeWriting({ ops_table: { file } }: MemoryFiles): void {
  const { write } = file.stream;
  file.stream.write = (stream, ...what) => {
    const { node } = stream;
    if (isShared(node.contents)) node.contents = new Uint8Array(node.contents);
    return write(stream, ...what);
  };
}

/** Nine files of ten are only read: to copy all thirty megabytes would take longer than all else. */
export function share(contents: Uint8Array): Uint8Array {
  shared.add(contents);
  return contents;
}

function isShared(contents: unknown): contents is Uint8Array {
  return contents instanceof Uint8Array && shared.has(contents);
}

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
  private readonly files: readonly { node: Inode; was: Inode }[];
  private readonly streams: readonly { stream: Stream | null; was: Partial<Stream> }[];

  constructor(private readonly pglite: PGlite) {
    this.engine = pglite.Module as unknown as Engine;
    const { HEAPU8, FS } = this.engine;
    this.memoryBytes = HEAPU8.length;
    for (const [offset, page] of pagesOf(HEAPU8))
      if (!isEmpty(page)) this.memory.set(offset, Buffer.from(page));
    this.chains = [...FS.nameTable];
    this.files = [...nodesIn(FS.nameTable)].map((node) => ({ node, was: copyOf(node) }));
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
    for (const { node, was } of this.files) Object.assign(node, copyOf(was));
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

/** A file with contents that are shared from now on, a folder with contents of its own. */
function copyOf(node: Inode): Inode {
  const { contents } = node;
  if (contents instanceof Uint8Array) return { ...node, contents: share(contents) };
  return { ...node, contents: contents && { ...contents } };
}
