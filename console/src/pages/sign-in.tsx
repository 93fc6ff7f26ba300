import { useEffect, useState } from 'preact/hooks';
import { signIn } from '../api';
import { asError } from '../loaded';
import type { Session } from '../session';
import { texts, useTexts } from '../texts';
import { Failure, Field } from '../ui/basics';

const T = texts(
  {
    title: 'Sign in',
    key: 'API key',
    hint: "The operators' key, or a key of your organization with the scope admin. The browser keeps a session of twelve hours, not the key.",
    enter: 'Sign in',
    ended: 'The session has ended. Sign in again.',
  },
  {
    title: 'Entrar',
    key: 'Chave de API',
    hint: 'A chave dos operadores, ou uma chave da sua organização com o escopo admin. O navegador guarda uma sessão de doze horas, não a chave.',
    enter: 'Entrar',
    ended: 'A sessão terminou. Entre de novo.',
  },
);

/** @param hasEnded somebody was signed in a moment ago */
export function SignIn({
  hasEnded,
  onSignedIn,
}: {
  hasEnded: boolean;
  onSignedIn: (session: Session) => void;
}) {
  const t = useTexts(T);
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    document.title = `${t.title} · Ponte`;
  }, [t.title]);
  const enter = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      onSignedIn(await signIn<Session>(key.trim()));
    } catch (failure) {
      setError(asError(failure));
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void enter();
        }}
      >
        <h1>Ponte</h1>
        {hasEnded && <p role="status">{t.ended}</p>}
        <Field label={t.key} hint={t.hint}>
          {(given) => (
            <input
              {...given}
              type="password"
              autoComplete="current-password"
              value={key}
              required
              autoFocus
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          )}
        </Field>
        {error && <Failure error={error} />}
        <button type="submit" class="button main" disabled={isBusy || key.trim() === ''} aria-busy={isBusy}>
          {t.enter}
        </button>
      </form>
    </main>
  );
}
