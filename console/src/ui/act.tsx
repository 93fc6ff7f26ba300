import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { asError } from '../loaded';
import { texts, useTexts } from '../texts';
import { Button, Dialog, Failure, Field } from './basics';
import { say } from './toast';

const T = texts(
  {
    reason: 'Why you do it',
    reasonHint: 'It stands in the audit log, with your key.',
    cancel: 'Cancel',
  },
  {
    reason: 'Por que você faz isto',
    reasonHint: 'Fica no registro de auditoria, com a sua chave.',
    cancel: 'Cancelar',
  },
);

/**
 * A button for something that changes data: it asks for the reason, shows what would come of it, and does it. Whoever clicks twice
 * does it once.
 */
export function Act({
  label,
  title = label,
  kind = 'plain',
  needsReason = true,
  isReady = true,
  done,
  act,
  onDone,
  children,
}: {
  label: string;
  title?: string;
  kind?: 'plain' | 'main' | 'danger';
  needsReason?: boolean;
  /** false: something is missing, or it is not known yet what would come of it, and nothing can be done. */
  isReady?: boolean;
  /** What is said when it is done. */
  done: string;
  act: (reason: string) => Promise<unknown>;
  onDone?: () => void;
  /** What would come of it. */
  children?: ComponentChildren;
}) {
  const t = useTexts(T);
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<Error>();
  const close = (): void => {
    setOpen(false);
    setError(undefined);
    setReason('');
  };
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await act(reason.trim());
      close();
      say(done);
      onDone?.();
    } catch (failure) {
      setError(asError(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (!isBusy && isReady) void run();
            }}
          >
            {children}
            {needsReason && (
              <Field label={t.reason} hint={t.reasonHint}>
                {(given) => (
                  <input
                    {...given}
                    value={reason}
                    required
                    maxLength={500}
                    autoFocus
                    onInput={({ currentTarget }) => setReason(currentTarget.value)}
                  />
                )}
              </Field>
            )}
            {error && <Failure error={error} />}
            <footer>
              <Button onClick={close}>{t.cancel}</Button>
              <button
                type="submit"
                class={`button ${kind === 'plain' ? 'main' : kind}`}
                disabled={isBusy || !isReady || (needsReason && reason.trim() === '')}
                aria-busy={isBusy}
              >
                {label}
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  );
}
