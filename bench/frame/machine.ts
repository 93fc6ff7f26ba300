import { arch, cpus, release, totalmem, type } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  postgres: string;
  postgresSettings: Readonly<Record<string, string>>;
}

export function describeMachine(postgres: {
  version: string;
  settings: Readonly<Record<string, string>>;
}): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? arch(),
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    // Without what a distribution or a provider adds to the version.
    system: `${type()} ${release().split('.').slice(0, 2).join('.')}`,
    node: process.version,
    postgres: postgres.version,
    postgresSettings: postgres.settings,
  };
}
