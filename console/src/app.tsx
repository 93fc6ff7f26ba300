import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Router, Switch, useLocation, useRoute } from 'wouter-preact';
import { ApiProblem, get, useToken, write } from './api';
import { Keyboard } from './keyboard';
import { asError } from './loaded';
import { PAGES, type Page } from './pages';
import { SignIn } from './pages/sign-in';
import { LANGUAGES, type Language, type Preferences, setPreferences, usePreferences } from './preferences';
import { type Session, SignedInAs, useHref, useSignedIn } from './session';
import { texts, useTexts } from './texts';
import { SearchBox } from './search-box';
import { Failure, Nothing } from './ui/basics';
import { say, Toast } from './ui/toast';

const T = texts(
  {
    skip: 'Skip to the content',
    menu: 'Pages',
    organization: 'Organization',
    language: 'Language',
    theme: 'Colours',
    system: 'As the device',
    light: 'Light',
    dark: 'Dark',
    signOut: 'Sign out',
    noPage: 'There is no such page.',
    noOrganization: 'There is no organization yet: make one first.',
    stillSignedIn: 'You are still signed in: Ponte could not be reached. Try again.',
  },
  {
    skip: 'Ir para o conteúdo',
    menu: 'Páginas',
    organization: 'Organização',
    language: 'Idioma',
    theme: 'Cores',
    system: 'Como no aparelho',
    light: 'Claras',
    dark: 'Escuras',
    signOut: 'Sair',
    noPage: 'Não há tal página.',
    noOrganization: 'Ainda não há organização: crie uma primeiro.',
    stillSignedIn: 'Você ainda não saiu: o Ponte não pôde ser alcançado. Tente de novo.',
  },
);

/** Whether somebody is signed in; the error: nobody knows. */
type State = { session: Session } | { session: undefined; hasEnded: boolean } | Error | undefined;

const SIGNED_OUT = { session: undefined, hasEnded: false };

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.isSignedOut;
}

export function App() {
  const t = useTexts(T);
  const [state, setState] = useState<State>();
  const begin = (session: Session): void => {
    useToken(session.csrfToken, () => setState({ session: undefined, hasEnded: true }));
    setState({ session });
  };
  const ask = (): void => {
    get<Session>('session').then(begin, (error: unknown) =>
      setState(isSignedOut(error) ? SIGNED_OUT : asError(error)),
    );
  };
  useEffect(ask, []);
  if (!state) return null;
  if (state instanceof Error) return <Failure error={state} again={ask} />;
  if (!state.session) return <SignIn hasEnded={state.hasEnded} onSignedIn={begin} />;
  const { session } = state;
  const end = (): void => {
    write('DELETE', 'session').then(
      () => setState(SIGNED_OUT),
      (error: unknown) => (isSignedOut(error) ? setState(SIGNED_OUT) : say(t.stillSignedIn)),
    );
  };
  return (
    <Router base="/console">
      <Organizations session={session} onSignOut={end} />
      <Toast />
    </Router>
  );
}

function Organizations({ session, onSignOut }: { session: Session; onSignOut: () => void }) {
  const t = useTexts(T);
  const [, parameters] = useRoute('/:org/*?');
  const slug = parameters?.['org'];
  const organization = session.organizations.find((one) => one.slug === slug);
  const [first] = session.organizations;
  if (organization)
    return (
      <SignedInAs value={{ session, organization }}>
        <Frame key={organization.slug} onSignOut={onSignOut} />
      </SignedInAs>
    );
  return first ? <Redirect to={`/${first.slug}`} /> : <Nothing>{t.noOrganization}</Nothing>;
}

function Frame({ onSignOut }: { onSignOut: () => void }) {
  const t = useTexts(T);
  const href = useHref();
  const main = useRef<HTMLElement>(null);
  const [address] = useLocation();
  const isFirst = useRef(true);
  // Whoever reads with the ears is told of a new page as its heading gets the focus.
  useEffect(() => {
    if (!isFirst.current) main.current?.querySelector('h1')?.focus();
    isFirst.current = false;
  }, [address]);
  return (
    <div class="frame">
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t.skip}
      </a>
      <aside>
        <p class="brand">Ponte</p>
        <ChooseOrganization />
        <nav aria-label={t.menu}>
          {PAGES.filter(({ menu }) => menu).map((page) => (
            <MenuEntry key={page.path.join('/')} page={page} />
          ))}
        </nav>
        <Settings />
        <button type="button" class="button" onClick={onSignOut}>
          {t.signOut}
        </button>
      </aside>
      <div class="content">
        <SearchBox />
        <main id="content" ref={main} tabIndex={-1}>
          <Switch>
            {PAGES.map(({ path, Shown }) => (
              <Route key={path.join('/')} path={href() + path.map((part) => `/${part}`).join('')}>
                <Shown />
              </Route>
            ))}
            <Route>
              <Nothing>{t.noPage}</Nothing>
            </Route>
          </Switch>
        </main>
      </div>
      <Keyboard />
    </div>
  );
}

function MenuEntry({ page: { path, menu } }: { page: Page }) {
  const href = useHref();
  const texts = useTexts(menu ?? { en: { name: '' }, 'pt-BR': { name: '' } });
  const address = href(...path);
  const [current] = useLocation();
  const isCurrent = path.length === 0 ? current === address : current.startsWith(address);
  return (
    <Link href={address} aria-current={isCurrent ? 'page' : undefined}>
      {texts.name}
    </Link>
  );
}

function ChooseOrganization() {
  const t = useTexts(T);
  const { session, organization } = useSignedIn();
  const [, go] = useLocation();
  if (session.organizations.length === 1) return <p class="organization">{organization.name}</p>;
  return (
    <label class="choice">
      <span>{t.organization}</span>
      <select value={organization.slug} onChange={({ currentTarget }) => go(`/${currentTarget.value}`)}>
        {session.organizations.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Settings() {
  const t = useTexts(T);
  const { language, theme } = usePreferences();
  return (
    <div class="settings">
      <label class="choice">
        <span>{t.language}</span>
        <select
          value={language}
          onChange={({ currentTarget }) => setPreferences({ language: currentTarget.value as Language })}
        >
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <span>{t.theme}</span>
        <select
          value={theme}
          onChange={({ currentTarget }) =>
            setPreferences({ theme: currentTarget.value as Preferences['theme'] })
          }
        >
          <option value="system">{t.system}</option>
          <option value="light">{t.light}</option>
          <option value="dark">{t.dark}</option>
        </select>
      </label>
    </div>
  );
}
