import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { type GlobalOptions, Session } from './session';
import type { Terminal } from './terminal';

/** One command, as its help tells it and as it works. */
export interface CommandSpec<O extends object> {
  /** Its name and arguments: `show <id>`. */
  readonly usage: string;
  readonly summary: string;
  /** What a newcomer has to know beside the options. */
  readonly details?: string;
  /** Shown in its help; each begins with `ponte` and can be typed as it stands. */
  readonly examples: readonly string[];
  readonly options?: readonly Option[];
  /** @param args the arguments in the order of `usage`; what was left out is undefined */
  run(session: Session, options: O, ...args: string[]): Promise<void>;
}

/** Commands about one thing: `ponte deliveries …`. */
export class CommandGroup {
  private readonly command: Command;

  constructor(
    program: Command,
    private readonly terminal: Terminal,
    name: string,
    summary: string,
  ) {
    this.command = program.command(name).summary(summary).description(summary).helpCommand(false);
  }

  add<O extends object>(spec: CommandSpec<O>): this {
    addCommand(this.command, this.terminal, spec);
    return this;
  }
}

export function addCommand<O extends object>(
  parent: Command,
  terminal: Terminal,
  spec: CommandSpec<O>,
): void {
  const command = parent.command(spec.usage).summary(spec.summary);
  command.description(spec.details ? `${spec.summary}\n\n${spec.details}` : spec.summary);
  for (const option of spec.options ?? []) command.addOption(option);
  const title = spec.examples.length === 1 ? 'Example' : 'Examples';
  command.addHelpText('after', `\n${title}:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`);
  command.action(async () => {
    const options = command.optsWithGlobals<O & GlobalOptions>();
    await spec.run(new Session(terminal, options), options, ...(command.processedArgs as string[]));
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
