import { useEffect, useState } from 'preact/hooks';
import type { RuleCheck } from '../../../../src/admin/rules/rules.dto';
import { writeText } from '../../api';
import { asError } from '../../loaded';
import { useAdminPath } from '../../session';

/** Milliseconds without a change after which a document is checked. */
const QUIET_MS = 500;

/** What is known of a document that is being written. */
export interface Checked {
  /** Undefined: it was not checked yet. While it is checked again this is of the text before. */
  readonly check: RuleCheck | undefined;
  /** Whether `check` is of the text as it is. */
  readonly isCurrent: boolean;
  readonly error: Error | undefined;
  readonly again: () => void;
}

/** Has a rule's document checked whenever it has not changed for a moment. */
export function useChecked(text: string): Checked {
  const path = useAdminPath();
  const address = path('rules', 'check');
  const [state, setState] = useState<{ check?: RuleCheck; of?: string; error?: Error }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (text.trim() === '') {
      setState({});
      return undefined;
    }
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const check = await writeText<RuleCheck>('POST', address, text, {}, controller.signal);
        setState({ check, of: text });
      } catch (failure) {
        if (!controller.signal.aborted) setState((before) => ({ ...before, error: asError(failure) }));
      }
    };
    const timer = setTimeout(() => void ask(), QUIET_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [address, text, round]);
  return {
    check: state.check,
    isCurrent: state.of === text,
    error: state.error,
    again: () => setRound((before) => before + 1),
  };
}
