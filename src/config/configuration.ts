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
import { isObject } from '../kernel/json-object';
import { readRetention, type RetentionChange } from '../kernel/retention';
import { SettingError } from './settings';

/** What slugs and names of files look like. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
export const SLUG_MESSAGE = 'must be lower-case letters, digits and inner hyphens, at most 63';

/** What environment variables are called. */
const VARIABLE = /^[A-Z][A-Z0-9_]{0,99}$/;

/** What names of documents end in. */
const DOCUMENT = /\.(ya?ml|json)$/;

/** The profile of an organization of which nobody said another. */
export const DEFAULT_PROFILE = 'cash';

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

  /** Name of a folder of `profiles/`, whose rules it has beside those of all; absent: the file says nothing of it. */
  @IsOptional()
  @Matches(SLUG, { message: `profile ${SLUG_MESSAGE}` })
  profile?: string;

  /** What is set on its rules: values by the names of the settings, by the name of the rule. */
  @IsOptional()
  @IsObject()
  ruleSettings?: Record<string, unknown>;

  /** For how many days it keeps what, by kind; absent: the file says nothing of it. */
  @IsOptional()
  @IsObject()
  retention?: RetentionChange;
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
  @Matches(VARIABLE, { message: 'env must name an environment variable' })
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

  /** What the provider's API is asked with: names, each with the variable that holds it. */
  @IsObject()
  credentials: Record<string, unknown> = {};

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
  /** Those of its credentials whose variables held something. */
  liveCredentials: Record<string, string>;
}

/** A document whose meaning belongs to another module: its text and where it came from. */
export interface ConfigFile {
  /** Path below the configuration folder, for messages. */
  path: string;
  /** File name without its ending. */
  name: string;
  text: string;
}

/** A folder of `profiles/`: the rules that only organizations of this profile have. */
export interface ConfigProfile {
  name: string;
  rules: ConfigFile[];
}

/** Everything the configuration folder says, read once at start-up. */
export interface Configuration {
  organizations: OrganizationDocument[];
  sources: ConfiguredSource[];
  /** The rules of every profile. */
  rules: ConfigFile[];
  profiles: ConfigProfile[];
  /** Rules to begin with that no organization is given. */
  templates: ConfigFile[];
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
    organizations: organizations.map(withRetention),
    sources: sources.map((source) => ({
      ...source,
      liveSecrets: liveSecrets(source, env),
      liveCredentials: liveCredentials(source, env),
    })),
    rules: readFolder(configDir, 'rules'),
    profiles: readProfiles(configDir),
    templates: readFolder(configDir, 'templates'),
    tables: readFolder(configDir, 'tables'),
    charts: readFolder(configDir, 'chart'),
  };
}

/** @throws SettingError where days are no number that the kind takes */
function withRetention({ retention, ...document }: OrganizationDocument): OrganizationDocument {
  if (retention === undefined) return document;
  const read = readRetention(retention);
  if ('change' in read) return { ...document, retention: read.change };
  const place = ['retention', read.setting].filter((part) => part !== '').join('.');
  throw new SettingError(`organizations.yaml: ${document.slug}: ${place} ${read.message}`);
}

function liveSecrets(source: SourceDocument, env: Readonly<Record<string, string | undefined>>): string[] {
  return source.secrets.map((secret) => env[secret.env]?.trim() ?? '').filter((value) => value.length > 0);
}

/** @throws SettingError where one names no variable */
function liveCredentials(
  { slug, credentials }: SourceDocument,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = Object.entries(credentials).map(([name, reference]): [string, string] => {
    const variable = isObject(reference) ? reference['env'] : undefined;
    if (typeof variable !== 'string' || !VARIABLE.test(variable))
      throw new SettingError(
        `sources.yaml: ${slug}: credentials.${name} names no environment variable: write { env: NAME }`,
      );
    return [name, env[variable]?.trim() ?? ''];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

function refuseDuplicates(file: string, names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new SettingError(`${file}: ${twice} is there twice`);
}

/** @throws SettingError for a file outside of every profile's folder, and a folder whose name nothing could say */
function readProfiles(configDir: string): ConfigProfile[] {
  const path = join(configDir, 'profiles');
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || DOCUMENT.test(entry.name))
    .map((entry) => {
      const place = `profiles/${entry.name}`;
      if (!entry.isDirectory())
        throw new SettingError(`${place}: move it to the folder of a profile, such as profiles/cash/`);
      if (!SLUG.test(entry.name)) throw new SettingError(`${place}: the name of a profile ${SLUG_MESSAGE}`);
      return { name: entry.name, rules: readFolder(configDir, place) };
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function readFolder(configDir: string, folder: string): ConfigFile[] {
  const path = join(configDir, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((file) => DOCUMENT.test(file))
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
