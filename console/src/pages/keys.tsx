import { useRef, useState } from 'preact/hooks';
import type { KeyView, MadeKeyView } from '../../../src/admin/keys.dto';
import { ApiProblem, write } from '../api';
import { usePages } from '../loaded';
import { useAdminPath, useSignedIn } from '../session';
import { texts, useTexts } from '../texts';
import { Act } from '../ui/act';
import { Badge, Field, Heading, Instant, Listed } from '../ui/basics';
import { MadeSecret } from '../ui/made-secret';
import { Table } from '../ui/table';
import './sources.css';

const T = texts(
  {
    title: 'Keys',
    what: 'With a key another system, or a person, uses Ponte for this organization. Give each its own, with no more than it needs: so it can be revoked alone.',
    make: 'Make a key',
    made: 'The key was made.',
    newKey: (name: string) => `The new key “${name}”`,
    name: 'Name',
    nameHint: 'Whose it is, such as the system that uses it.',
    scopes: 'What it may do',
    choose: 'Choose something that it may do.',
    'finance:read': 'read the books',
    'finance:write': 'write into the books',
    'feed:read': 'read the feed of changes',
    admin: 'everything on these pages',
    caption: 'Keys, newest first',
    state: 'State',
    live: 'valid',
    revokedAt: 'revoked on',
    createdAt: 'Made',
    own: 'you signed in with it',
    act: 'What can be done',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke the key “${name}”`,
    revokeSays: 'Whoever uses it is refused at once, and for ever. What it did stays.',
    revokeOwn: 'You signed in with it: you are signed out, and it lets nobody in any more.',
    revoked: 'The key was revoked.',
    none: 'There is no key yet.',
  },
  {
    title: 'Chaves',
    what: 'Com uma chave outro sistema, ou uma pessoa, usa o Ponte para esta organização. Dê a cada um a sua, com nada além do necessário: assim pode ser revogada sozinha.',
    make: 'Criar uma chave',
    made: 'A chave foi criada.',
    newKey: (name: string) => `A nova chave “${name}”`,
    name: 'Nome',
    nameHint: 'De quem é, como o sistema que a usa.',
    scopes: 'O que ela pode fazer',
    choose: 'Escolha algo que ela possa fazer.',
    'finance:read': 'ler os livros',
    'finance:write': 'escrever nos livros',
    'feed:read': 'ler o registro de mudanças',
    admin: 'tudo o que há nestas páginas',
    caption: 'Chaves, as mais novas primeiro',
    state: 'Situação',
    live: 'válida',
    revokedAt: 'revogada em',
    createdAt: 'Criada',
    own: 'você entrou com ela',
    act: 'O que pode ser feito',
    revoke: 'Revogar',
    revokeTitle: (name: string) => `Revogar a chave “${name}”`,
    revokeSays: 'Quem a usa é recusado na hora, e para sempre. O que ela fez permanece.',
    revokeOwn: 'Você entrou com ela: sua sessão termina, e ela não deixa mais ninguém entrar.',
    revoked: 'A chave foi revogada.',
    none: 'Ainda não há chave.',
  },
);

const SCOPES = ['finance:read', 'finance:write', 'feed:read', 'admin'] as const;

/** The API keys of the organization. */
export function Keys() {
  const t = useTexts(T);
  const { session } = useSignedIn();
  const path = useAdminPath();
  const list = usePages<KeyView>(path('keys'));
  const { reload } = list;
  const [made, setMade] = useState<{ name: string; key: string }>();
  return (
    <>
      <Heading title={t.title}>
        <MakeKey
          onMade={(name, key) => {
            setMade({ name, key });
            reload();
          }}
        />
      </Heading>
      <p>{t.what}</p>
      {made && <MadeSecret title={t.newKey(made.name)} text={made.key} onKept={() => setMade(undefined)} />}
      <Listed of={list} none={t.none}>
        {(items) => (
          <Table
            caption={t.caption}
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t.name,
                show: ({ id, name }) => (
                  <>
                    {name} {id === session.keyId && <Badge>{t.own}</Badge>}
                  </>
                ),
              },
              { name: t.scopes, show: ({ scopes }) => <Scopes scopes={scopes} /> },
              { name: t.createdAt, show: ({ createdAt }) => <Instant at={createdAt} /> },
              {
                name: t.state,
                show: ({ revokedAt }) =>
                  revokedAt === null ? (
                    <Badge tone="good">{t.live}</Badge>
                  ) : (
                    <>
                      {t.revokedAt} <Instant at={revokedAt} />
                    </>
                  ),
              },
              {
                name: t.act,
                show: ({ id, name, revokedAt }) =>
                  revokedAt === null && (
                    <Act
                      label={t.revoke}
                      title={t.revokeTitle(name)}
                      kind="danger"
                      needsReason={false}
                      done={t.revoked}
                      act={() => write('DELETE', path('keys', id))}
                      onDone={reload}
                    >
                      <p>{id === session.keyId ? t.revokeOwn : t.revokeSays}</p>
                    </Act>
                  ),
              },
            ]}
          />
        )}
      </Listed>
    </>
  );
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const t = useTexts(T);
  return (
    <ul class="plain">
      {scopes.map((scope) => {
        const known = SCOPES.find((one) => one === scope);
        return (
          <li key={scope}>
            {known ? t[known] : ''} <code>{scope}</code>
          </li>
        );
      })}
    </ul>
  );
}

function MakeKey({ onMade }: { onMade: (name: string, key: string) => void }) {
  const t = useTexts(T);
  const path = useAdminPath();
  const form = useRef<HTMLDivElement>(null);
  const make = async (): Promise<void> => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    const name = inputs.find((input) => input.name === 'name')?.value.trim() ?? '';
    const scopes = inputs.filter((input) => input.type === 'checkbox' && input.checked);
    if (scopes.length === 0) throw new ApiProblem({ status: 0, title: t.scopes, detail: t.choose });
    const body = { name, scopes: scopes.map(({ value }) => value) };
    const { key } = await write<MadeKeyView>('POST', path('keys'), body);
    onMade(name, key);
  };
  return (
    <Act label={t.make} kind="main" needsReason={false} done={t.made} act={make}>
      <div class="wide" ref={form}>
        <Field label={t.name} hint={t.nameHint}>
          {(given) => <input {...given} name="name" required maxLength={100} autoComplete="off" autoFocus />}
        </Field>
        <fieldset class="choices">
          <legend>{t.scopes}</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" value={scope} />
              <span>
                {t[scope]} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
      </div>
    </Act>
  );
}
