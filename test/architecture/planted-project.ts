import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';

const ROOT = join(__dirname, '../..');

/** One report of the linter, for one line of one file. */
export interface Report {
  /** 1-based */
  line: number;
  rule: string;
  message: string;
}

interface LintedFile {
  filePath: string;
  messages: { line: number; ruleId: string | null; severity: number; message: string }[];
}

/**
 * A small project in a temporary directory, linted once with the project's own eslint.config.mjs by ESLint's own
 * command: what is reported here is what `npm run lint` reports.
 */
export class PlantedProject {
  private readonly directory = mkdtempSync(join(tmpdir(), 'planted-project-'));
  private reports = new Map<string, Report[]>();

  constructor() {
    this.plant('tsconfig.json', JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['src'] }));
    this.plant(
      'package.json',
      JSON.stringify({
        dependencies: {
          axios: '1',
          '@nestjs/common': '1',
          pg: '1',
          '@electric-sql/pglite': '1',
          commander: '1',
        },
        devDependencies: { 'fast-check': '1' },
      }),
    );
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'), 'dir');
  }

  /** Writes a file; `path` is relative to the project, as in `src/kernel/money.ts`. */
  plant(path: string, content: string): void {
    const target = join(this.directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  /** Runs ESLint over everything planted. */
  async lint(): Promise<void> {
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        process.execPath,
        [
          join(ROOT, 'node_modules/eslint/bin/eslint.js'),
          '-c',
          join(ROOT, 'eslint.config.mjs'),
          '-f',
          'json',
          'src',
        ],
        { cwd: this.directory, maxBuffer: 32 * 1024 * 1024 },
        // Status 1 means that something was reported, which is what is wanted.
        (error, stdout, stderr) => (error && error.code !== 1 ? reject(new Error(stderr)) : resolve(stdout)),
      );
    });
    for (const file of JSON.parse(output) as LintedFile[]) {
      this.reports.set(
        relative(this.directory, file.filePath),
        file.messages
          .filter(({ severity }) => severity === 2)
          .map(({ line, ruleId, message }) => ({ line, rule: ruleId ?? 'parser', message })),
      );
    }
  }

  /** The errors of one planted file. @throws Error when the linter did not read it */
  errorsOf(path: string): Report[] {
    const reports = this.reports.get(path);
    if (!reports) throw new Error(`${path} was not linted`);
    return reports;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** How `from` would name `to` in an import: relative, without extension. */
export function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to).replace(/\.ts$/, '');
  return path.startsWith('.') ? path : `./${path}`;
}
