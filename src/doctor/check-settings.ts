import { checkConfiguration } from '../admin/check-configuration';
import { readConfiguration } from '../config/configuration';
import { SettingError, type Settings } from '../config/settings';
import { editDistance } from '../kernel/nearest';
import { SourceProviders } from '../sources/source-providers';
import { fail, type Finding, ok, warn } from './finding';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What names begin with that only Ponte reads. */
const OWN =
  /^(FINANCE|ADMIN|SECRETS|SHUTDOWN|TRUSTED|METRICS|PROVIDER|NOTIFICATION|WATCH|COMPARE|RECORD|SMTP)_/;
/** Read by others: the command line, and the programs that sources' secrets are given to. */
const OF_OTHERS = /^PONTE_|_WEBHOOK_SECRET(_NEXT)?$|^STANDARD_WEBHOOKS_SECRET/;
/** Shorter names are like many others: `HOME`, `ROLE`. */
const LEAST_COMPARED = 7;
const MOST_EDITS = 2;

/** Variables that Ponte does not read and that somebody may have meant for it: mistyped, or of another version. */
export function checkNames(env: Environment, { names }: Settings): Finding[] {
  const findings = Object.keys(env).flatMap((name) => {
    if (names.has(name) || OF_OTHERS.test(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return [];
    const meant = name.length < LEAST_COMPARED ? undefined : closeName(name, names);
    if (meant === undefined && !OWN.test(name)) return [];
    const todo =
      meant === undefined ? 'unset it, or see the README for the settings' : `set ${meant}, or unset it`;
    return [warn('settings', `${name} is no setting of this version`, todo)];
  });
  return findings.length > 0 ? findings : [ok('settings', 'every setting is known and can be read')];
}

/** The setting whose name differs by two letters at most. */
function closeName(name: string, names: ReadonlySet<string>): string | undefined {
  return [...names].find((known) => editDistance(name, known) <= MOST_EDITS);
}

/** The configuration folder, as `npm run config:check` checks it. */
export function checkFolder(env: Environment, { configDir }: Settings): Finding[] {
  const todo = 'correct it before the start: it would be refused';
  try {
    const checked = checkConfiguration(readConfiguration(configDir, env), new SourceProviders());
    if (!('problems' in checked)) return [ok('configuration', `${configDir} is right`)];
    return checked.problems.map((problem) => fail('configuration', problem, todo));
  } catch (error) {
    if (error instanceof SettingError) return [fail('configuration', error.message, todo)];
    throw error;
  }
}
