import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { type GlobalOptions, Session } from './session';
import type { Terminal } from './terminal';

/** @param args the arguments in the order of `usage`; what was left out is undefined */
export type Run<O extends object = object> = (
  session: Session,
  options: O,
  ...args: string[]
) => Promise<void>;

/** What there is to a command beside its name and its summary. */
interface CommandParts<O extends object> {
  /** What a newcomer has to know beside the options. */
  readonly details?: string;
  /** Shown in its help: what stands behind the command's own name. Each can be typed as it stands. */
  readonly examples: readonly string[];
  readonly options?: readonly Option[];
  readonly run: Run<O>;
}

/** One command, as its help tells it and as it works. */
interface CommandSpec extends CommandParts<object> {
  readonly usage: string;
  readonly summary: string;
}

/** Commands about one thing: `ponte deliveries …`. */
interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandSpec[];
}

/** @param usage its name and arguments: `show <id>` */
export function command<O extends object>(
  usage: string,
  summary: string,
  parts: CommandParts<O>,
): CommandSpec {
  // The parser gives the options that are listed, which the compiler cannot know.
  return { ...parts, usage, summary, run: parts.run as Run };
}

export function group(name: string, summary: string, commands: readonly CommandSpec[]): CommandGroup {
  return { name, summary, commands };
}

export function addGroup(
  program: Command,
  terminal: Terminal,
  { name, summary, commands }: CommandGroup,
): void {
  const group = program.command(name).summary(summary).description(summary).helpCommand(false);
  for (const spec of commands) addCommand(group, terminal, spec);
}

export function addCommand(parent: Command, terminal: Terminal, spec: CommandSpec): void {
  const command = parent.command(spec.usage).summary(spec.summary);
  command.description(spec.details ? `${spec.summary}\n\n${spec.details}` : spec.summary);
  for (const option of spec.options ?? []) command.addOption(option);
  const title = spec.examples.length === 1 ? 'Example' : 'Examples';
  const name = parent.parent ? `ponte ${parent.name()} ${command.name()}` : `ponte ${command.name()}`;
  const examples = spec.examples.map((example) => `  ${name} ${example}`.trimEnd());
  command.addHelpText('after', `\n${title}:\n${examples.join('\n')}`);
  command.action(() => {
    const session = new Session(terminal, command.optsWithGlobals<GlobalOptions>());
    return spec.run(session, command.opts(), ...(command.processedArgs as string[]));
  });
}

/** An option, with the words it takes where it takes no others. */
export function option(flags: string, description: string, words?: readonly string[]): Option {
  const made = new Option(flags, description);
  return words ? made.choices(words) : made;
}

/** An option that must be given. */
export function required(flags: string, description: string, words?: readonly string[]): Option {
  return option(flags, description, words).makeOptionMandatory();
}

/** An option that takes a whole number. */
export function wholeNumber(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
    return Number(text);
  });
}

/** An option that may be given several times. */
export function several(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: string[] | undefined) => [
    ...(before ?? []),
    text,
  ]);
}
