import type { ScriptedReply } from '../../support/recording-server';

/** One command line, what it must ask, what is answered and what must be shown of it. */
export interface CommandRow {
  line: string;
  asks: (string | [string, unknown])[];
  answers: ScriptedReply[];
  /** What the output must hold, whatever else it does. */
  shows?: string[];
  /** What a person is not shown; `--json` has it. */
  hides?: string[];
}
