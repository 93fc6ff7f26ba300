import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A package as `package-lock.json` describes it. */
export interface LockedPackage {
  dev?: boolean;
  /** Needed for development, or by an optional dependency. */
  devOptional?: boolean;
  optional?: boolean;
}

/** The folders that `npm ci --omit=dev --omit=optional` fills. */
export function neededFolders(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional, optional }]) => folder !== '' && !dev && !devOptional && !optional)
    .map(([folder]) => folder);
}

/** @param nested with the packages that are installed inside it; absent: without, they are listed themselves */
export function bytesOf(folder: string, { nested = false } = {}): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return sum + lstatSync(path).size;
    return sum + (entry.name === 'node_modules' && !nested ? 0 : bytesOf(path, { nested }));
  }, 0);
}
