import 'reflect-metadata';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsOptional,
  IsString,
  IsTimeZone,
  Length,
  Matches,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { LineCounter, parseDocument } from 'yaml';
import { SettingError } from './settings';

/** What slugs and names of files look like. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const SLUG_MESSAGE = 'must be lower-case letters, digits and inner hyphens, at most 63';

/** One entry of `organizations.yaml`. */
export class OrganizationDocument {
  @Matches(SLUG, { message: `slug ${SLUG_MESSAGE}` })
  slug!: string;

  @IsString()
  @Length(1, 200)
  name!: string;

  @IsTimeZone()
  timeZone: string = 'America/Sao_Paulo';

  @Matches(/^[A-Z]{3}$/, { message: 'currency must be an ISO 4217 code' })
  currency: string = 'BRL';

  /** Name of a file in `chart/`, without its ending; absent: no chart is brought. */
  @IsOptional()
  @Matches(SLUG, { message: `chart ${SLUG_MESSAGE}` })
  chart?: string;
}

class OrganizationsFile {
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => OrganizationDocument)
  organizations: OrganizationDocument[] = [];
}

/** A secret is never written into a file: it is named by the environment variable that holds it. */
export class SecretReference {
  @Matches(/^[A-Z][A-Z0-9_]{0,99}$/, { message: 'env must name an environment variable' })
  env!: string;
}

/** One entry of `sources.yaml`. */
export class SourceDocument {
  @Matches(SLUG, { message: `organization ${SLUG_MESSAGE}` })
  organization!: string;

  @Matches(SLUG, { message: `slug ${SLUG_MESSAGE}` })
  slug!: string;

  @IsString()
  provider!: string;

  /** All are live at once, so that one can be replaced while the other still serves. */
  @IsArray()
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => SecretReference)
  secrets: SecretReference[] = [];

  @IsObject()
  settings: Record<string, unknown> = {};

  @IsBoolean()
  paused: boolean = false;
}

class SourcesFile {
  @IsArray()
  @ArrayMaxSize(10_000)
  @ValidateNested({ each: true })
  @Type(() => SourceDocument)
  sources: SourceDocument[] = [];
}

/** A source with the secrets its variables held at start-up; none means that it refuses everything. */
export interface ConfiguredSource extends SourceDocument {
  liveSecrets: string[];
}

/** A document whose meaning belongs to another module: its text and where it came from. */
export interface ConfigFile {
  /** Path below the configuration folder, for messages. */
  path: string;
  /** File name without its ending. */
  name: string;
  text: string;
}

/** Everything the configuration folder says, read once at start-up. */
export interface Configuration {
  organizations: OrganizationDocument[];
  sources: ConfiguredSource[];
  rules: ConfigFile[];
  tables: ConfigFile[];
  charts: ConfigFile[];
}

/**
 * Reads and checks the configuration folder. An absent file or folder means none of its kind.
 * @throws SettingError with one line that names the file and the member
 */
export function readConfiguration(
  configDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Configuration {
  if (!existsSync(configDir)) throw new SettingError(`CONFIG_DIR: there is no folder ${configDir}`);
  const organizations = readTyped(configDir, 'organizations.yaml', OrganizationsFile).organizations;
  const sources = readTyped(configDir, 'sources.yaml', SourcesFile).sources;
  refuseDuplicates(
    'organizations.yaml',
    organizations.map((entry) => entry.slug),
  );
  refuseDuplicates(
    'sources.yaml',
    sources.map((entry) => `${entry.organization}/${entry.slug}`),
  );
  for (const source of sources) {
    if (!organizations.some((entry) => entry.slug === source.organization)) {
      throw new SettingError(
        `sources.yaml: source ${source.slug} names an organization that organizations.yaml does not have`,
      );
    }
  }
  return {
    organizations,
    sources: sources.map((source) => ({ ...source, liveSecrets: liveSecrets(source, env) })),
    rules: readFolder(configDir, 'rules'),
    tables: readFolder(configDir, 'tables'),
    charts: readFolder(configDir, 'chart'),
  };
}

function liveSecrets(source: SourceDocument, env: Readonly<Record<string, string | undefined>>): string[] {
  return source.secrets.map((secret) => env[secret.env]?.trim() ?? '').filter((value) => value.length > 0);
}

function refuseDuplicates(file: string, names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new SettingError(`${file}: ${twice} is there twice`);
}

function readFolder(configDir: string, folder: string): ConfigFile[] {
  const path = join(configDir, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .sort()
    .map((file) => ({
      path: relative(configDir, join(path, file)),
      name: file.replace(/\.[^.]+$/, ''),
      text: readFileSync(join(path, file), 'utf8'),
    }));
}

function readTyped<T extends object>(configDir: string, file: string, shape: new () => T): T {
  const path = join(configDir, file);
  const plain = existsSync(path) ? parseYaml(file, readFileSync(path, 'utf8')) : {};
  const typed = plainToInstance(shape, plain ?? {}, { exposeDefaultValues: true });
  const errors = validateSync(typed, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  const first = errors[0] && describe(errors[0], '');
  if (first) throw new SettingError(`${file}: ${first}`);
  return typed;
}

/** @throws SettingError with line and column */
export function parseYaml(file: string, text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new SettingError(`${file}:${line}:${col}: ${error.message.split('\n')[0]}`);
  }
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

function describe(error: ValidationError, parent: string): string {
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : parent
      ? `${parent}.${error.property}`
      : error.property;
  const [child] = error.children ?? [];
  if (child) return describe(child, path);
  return `${path}: ${Object.values(error.constraints ?? {})[0] ?? 'is not acceptable'}`;
}
