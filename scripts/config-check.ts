import { checkConfiguration } from '../src/admin/check-configuration';
import { readConfiguration } from '../src/config/configuration';
import { SettingError, Settings } from '../src/config/settings';
import { SourceProviders } from '../src/sources/source-providers';

/** Checks the configuration folder without starting anything. @returns a line for each thing that is wrong */
function problemsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    const checked = checkConfiguration(
      readConfiguration(new Settings(env).configDir, env),
      new SourceProviders(),
    );
    return 'problems' in checked ? checked.problems : [];
  } catch (error) {
    if (error instanceof SettingError) return [error.message];
    throw error;
  }
}

const problems = problemsOf(process.env);
process.stdout.write(problems.length === 0 ? 'The configuration is right.\n' : `${problems.join('\n')}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
