import { useRef, useState } from 'preact/hooks';
import type { ImportView } from '../../../src/admin/sources/imports.dto';
import { ApiProblem, sendLines } from '../api';
import { useFormats } from '../format';
import { asError } from '../loaded';
import { LongLine, partsOf } from '../ndjson';
import { useAdminPath } from '../session';
import { texts, useTexts } from '../texts';
import { Fact, Failure, Field, Section } from '../ui/basics';
import { Table } from '../ui/table';

const T = texts(
  {
    title: 'Import what did not arrive',
    what: 'Orders of an outage, or from before the shop was connected: a file with one record a line (NDJSON), as the provider’s webhooks or its API have it. Each line is worked on like the webhook it stands for. What is known already changes nothing, so the same file may be sent again.',
    file: 'File',
    fileHint: 'A file of any length: it is sent in parts.',
    topic: 'Topic of all lines',
    topicHint: 'Empty: orders. Where the provider names topics, such as orders/paid or customers/update.',
    reason: 'Why you do it',
    reasonHint: 'It stands in the audit log, with your key.',
    send: 'Import',
    goOn: 'Go on from there',
    sending: (percent: string) => `Sending: ${percent} of the file…`,
    stopped: (line: string) => `It ended before line ${line}. All lines before it are done.`,
    done: 'The file was imported.',
    longLine: (line: string) =>
      `Line ${line} is longer than 1 MiB, and is no record. Nothing after it was sent.`,
    empty: 'The file is empty.',
    lines: 'Lines with something in them',
    stored: 'New, and stored',
    duplicates: 'Known before',
    refused: 'Refused',
    ignored: 'Of which nothing is made, such as unpaid orders',
    problems: 'Lines that were refused, the first ones of each part',
    line: 'Line',
    why: 'Why',
  },
  {
    title: 'Importar o que não chegou',
    what: 'Pedidos de uma queda, ou de antes de a loja ser conectada: um arquivo com um registro por linha (NDJSON), como os webhooks do provedor ou a API dele os têm. Cada linha é processada como o webhook que representa. O que já é conhecido não muda nada, então o mesmo arquivo pode ser enviado de novo.',
    file: 'Arquivo',
    fileHint: 'Um arquivo de qualquer tamanho: é enviado em partes.',
    topic: 'Assunto de todas as linhas',
    topicHint: 'Vazio: pedidos. Quando o provedor nomeia assuntos, como orders/paid ou customers/update.',
    reason: 'Por que você faz isto',
    reasonHint: 'Fica no registro de auditoria, com a sua chave.',
    send: 'Importar',
    goOn: 'Continuar dali',
    sending: (percent: string) => `Enviando: ${percent} do arquivo…`,
    stopped: (line: string) => `Terminou antes da linha ${line}. Todas as linhas anteriores estão feitas.`,
    done: 'O arquivo foi importado.',
    longLine: (line: string) =>
      `A linha ${line} passa de 1 MiB e não é um registro. Nada depois dela foi enviado.`,
    empty: 'O arquivo está vazio.',
    lines: 'Linhas com algo dentro',
    stored: 'Novas, guardadas',
    duplicates: 'Já conhecidas',
    refused: 'Recusadas',
    ignored: 'De que nada se faz, como pedidos não pagos',
    problems: 'Linhas recusadas, as primeiras de cada parte',
    line: 'Linha',
    why: 'Por quê',
  },
);

/** Lines that were refused of which a page tells. */
const MOST_PROBLEMS = 100;
/** Tries of one part while Ponte is busy with webhooks, which go first. */
const TRIES = 5;
const BUSY = 503;
const PAUSE_MS = 3_000;
const PAUSED = 'urn:ponte:problem:source-paused';

const NOTHING: ImportView = {
  ...{ lines: 0, stored: 0, duplicates: 0, refused: 0, ignored: 0 },
  problems: [],
};

/** How far an import is. */
interface Progress {
  readonly file: File;
  readonly report: ImportView;
  /** Bytes and lines that are done. */
  readonly until: number;
  readonly first: number;
}

/** A file of records that no webhook brought, sent part by part, with what came of its lines. */
export function Import({ slug, onDone }: { slug: string; onDone: () => void }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const path = useAdminPath();
  const input = useRef<HTMLInputElement>(null);
  const [topic, setTopic] = useState('');
  const [reason, setReason] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const send = async (from: Progress): Promise<void> => {
    setBusy(true);
    setError(undefined);
    let done = from;
    setProgress(done);
    try {
      for await (const { lines: part, first, next, until } of partsOf(from.file, from)) {
        const query = { topic: topic.trim(), reason: reason.trim(), line: first };
        const report = await patiently(() =>
          sendLines<ImportView>(path('sources', slug, 'import'), part, query),
        );
        done = { ...done, until, first: next, report: sum(done.report, report) };
        setProgress(done);
      }
    } catch (failure) {
      setError(asError(failure));
    } finally {
      setBusy(false);
      onDone();
    }
  };
  const begin = (): void => {
    const file = input.current?.files?.[0];
    if (file) void send({ file, report: NOTHING, until: 0, first: 1 });
  };
  const isWhole = progress !== undefined && progress.until >= progress.file.size;
  return (
    <Section title={t.title}>
      <p>{t.what}</p>
      <form
        class="wide"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) begin();
        }}
      >
        <Field label={t.file} hint={t.fileHint}>
          {(given) => (
            <input
              {...given}
              ref={input}
              type="file"
              accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson"
              required
              onChange={() => {
                setProgress(undefined);
                setError(undefined);
              }}
            />
          )}
        </Field>
        <Field label={t.topic} hint={t.topicHint}>
          {(given) => (
            <input
              {...given}
              value={topic}
              maxLength={200}
              autoComplete="off"
              onInput={({ currentTarget }) => setTopic(currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t.reason} hint={t.reasonHint}>
          {(given) => (
            <input
              {...given}
              value={reason}
              required
              maxLength={500}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <button type="submit" class="button main" disabled={isBusy} aria-busy={isBusy}>
            {t.send}
          </button>
          {progress && error && !(error instanceof LongLine) && (
            <button type="button" class="button" disabled={isBusy} onClick={() => void send(progress)}>
              {t.goOn}
            </button>
          )}
        </div>
      </form>
      <div aria-live="polite">
        {progress && isBusy && <p role="status">{t.sending(percentOf(progress))}</p>}
        {error instanceof LongLine ? (
          <p class="failure">{t.longLine(count(error.line))}</p>
        ) : (
          error && <Failure error={error} />
        )}
        {progress && error && <p>{t.stopped(count(progress.first))}</p>}
        {progress && !isBusy && !error && isWhole && <p>{progress.file.size === 0 ? t.empty : t.done}</p>}
        {progress && (progress.until > 0 || isWhole) && <Report report={progress.report} />}
      </div>
    </Section>
  );
}

function Report({ report }: { report: ImportView }) {
  const t = useTexts(T);
  const { count } = useFormats();
  return (
    <>
      <dl class="facts">
        {(['lines', 'stored', 'duplicates', 'refused', 'ignored'] as const).map((name) => (
          <Fact key={name} name={t[name]}>
            {count(report[name])}
          </Fact>
        ))}
      </dl>
      {report.problems.length > 0 && (
        <Table
          caption={t.problems}
          rows={report.problems}
          keyOf={({ line }) => String(line)}
          columns={[
            { name: t.line, isNumber: true, show: ({ line }) => count(line) },
            { name: t.why, show: ({ reason }) => <span lang="en">{reason}</span> },
          ]}
        />
      )}
    </>
  );
}

function percentOf({ file, until }: Progress): string {
  return `${file.size === 0 ? 100 : Math.floor((until / file.size) * 100)} %`;
}

function sum(one: ImportView, other: ImportView): ImportView {
  return {
    lines: one.lines + other.lines,
    stored: one.stored + other.stored,
    duplicates: one.duplicates + other.duplicates,
    refused: one.refused + other.refused,
    ignored: one.ignored + other.ignored,
    problems: [...one.problems, ...other.problems].slice(0, MOST_PROBLEMS),
  };
}

async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (failure) {
      const { type, status } = failure instanceof ApiProblem ? failure.problem : {};
      if (tries >= TRIES || status !== BUSY || type === PAUSED) throw failure;
      await new Promise((wake) => setTimeout(wake, PAUSE_MS));
    }
  }
}
