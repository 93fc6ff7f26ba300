import { useId } from 'preact/hooks';
import { useFormats } from '../../format';
import type { HourView } from '../../../../src/admin/overview/overview.dto';
import { texts, useTexts } from '../../texts';
import { Table } from '../../ui/table';
import { niceTop } from './nice-top';

const T = texts(
  {
    title: 'Webhooks of each hour',
    says: (all: string, most: string, hour: string) =>
      `${all} webhooks came in; the most, ${most}, in the hour from ${hour}.`,
    hour: 'Hour',
    accepted: 'came in',
    applied: 'worked on',
    dead: 'need a person',
    rest: 'others: waiting, ignored or given up',
    numbers: 'The same in numbers',
    of: (hour: string, accepted: string, applied: string, dead: string) =>
      `${hour}: ${accepted} came in, ${applied} worked on, ${dead} need a person`,
  },
  {
    title: 'Webhooks de cada hora',
    says: (all: string, most: string, hour: string) =>
      `Chegaram ${all} webhooks; a maior parte, ${most}, na hora a partir de ${hour}.`,
    hour: 'Hora',
    accepted: 'chegaram',
    applied: 'processados',
    dead: 'precisam de alguém',
    rest: 'outros: em espera, ignorados ou descartados',
    numbers: 'O mesmo em números',
    of: (hour: string, accepted: string, applied: string, dead: string) =>
      `${hour}: chegaram ${accepted}, processados ${applied}, precisam de alguém ${dead}`,
  },
);

/** Units of the drawing. */
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [800, 200, 48, 24, 12];
/** Of an hour's width, what its bar takes. */
const BAR = 0.7;
/** Every so many hours one is written below. */
const LABELLED = 3;

/** Bars of the hours of a day. Each part has a pattern of its own, and the numbers stand in a table below. */
export function FlowChart({ flow }: { flow: readonly HourView[] }) {
  const t = useTexts(T);
  const { count } = useFormats();
  const id = useId();
  const top = niceTop(Math.max(0, ...flow.map(({ accepted }) => accepted)));
  const step = (WIDTH - LEFT) / Math.max(1, flow.length);
  const room = HEIGHT - BOTTOM - TOP;
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * room;
  const busiest = flow.reduce((most, hour) => (hour.accepted > most.accepted ? hour : most), {
    ...{ accepted: 0, hour: 0 },
  });
  const all = flow.reduce((sum, { accepted }) => sum + accepted, 0);
  return (
    <figure class="flow">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-says`}>
        <title id={`${id}-title`}>{t.title}</title>
        <desc id={`${id}-says`}>{t.says(count(all), count(busiest.accepted), clock(busiest.hour))}</desc>
        <Patterns id={id} />
        {[0, top / 2, top].map((value) => (
          <g key={value} aria-hidden="true">
            <line class="grid" x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {count(value)}
            </text>
          </g>
        ))}
        {flow.map(({ hour, from, accepted, applied, dead }, index) => {
          const x = LEFT + index * step + (step * (1 - BAR)) / 2;
          const width = step * BAR;
          const rest = Math.max(0, accepted - applied - dead);
          return (
            <g key={String(from)}>
              <title>{t.of(clock(hour), count(accepted), count(applied), count(dead))}</title>
              <Part kind="applied" {...{ x, width }} from={y(0)} to={y(applied)} />
              <Part kind="rest" {...{ x, width, id }} from={y(applied)} to={y(applied + rest)} />
              <Part
                kind="dead"
                {...{ x, width, id }}
                from={y(applied + rest)}
                to={y(applied + rest + dead)}
              />
              {index % LABELLED === 0 && (
                <text x={x + width / 2} y={HEIGHT - 6} text-anchor="middle">
                  {clock(hour)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>
        <Legend kind="applied" says={t.applied} />
        <Legend kind="dead" says={t.dead} />
        <Legend kind="rest" says={t.rest} />
      </figcaption>
      <details>
        <summary>{t.numbers}</summary>
        <Table
          caption={t.title}
          rows={flow}
          keyOf={({ from }) => String(from)}
          columns={[
            { name: t.hour, show: ({ hour }) => clock(hour) },
            { name: t.accepted, isNumber: true, show: ({ accepted }) => count(accepted) },
            { name: t.applied, isNumber: true, show: ({ applied }) => count(applied) },
            { name: t.dead, isNumber: true, show: ({ dead }) => count(dead) },
          ]}
        />
      </details>
    </figure>
  );
}

type Kind = 'applied' | 'dead' | 'rest';

/** What cannot be told by its colour can be by its lines. */
function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}-dead`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect class="ground" width="6" height="6" />
        <line class="dead" x1="0" y1="0" x2="0" y2="6" />
      </pattern>
      <pattern id={`${id}-rest`} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect class="ground" width="4" height="4" />
        <circle class="rest" cx="2" cy="2" r="1" />
      </pattern>
    </defs>
  );
}

function Part({
  kind,
  x,
  width,
  from,
  to,
  id,
}: {
  kind: Kind;
  x: number;
  width: number;
  from: number;
  to: number;
  /** Of the drawing's patterns; absent: it is filled. */
  id?: string;
}) {
  if (from - to <= 0) return null;
  const fill = id === undefined ? {} : { fill: `url(#${id}-${kind})` };
  return <rect class={`part ${kind}`} x={x} y={to} width={width} height={from - to} {...fill} />;
}

function Legend({ kind, says }: { kind: Kind; says: string }) {
  const id = useId();
  return (
    <span class="legend">
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <Patterns id={id} />
        <Part kind={kind} x={1} width={14} from={15} to={1} {...(kind !== 'applied' && { id })} />
      </svg>{' '}
      {says}
    </span>
  );
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
