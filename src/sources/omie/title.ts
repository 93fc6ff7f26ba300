import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { brazilianDay, brazilianInstant } from '../mapping/brazilian-dates';
import { defined } from '../mapping/defined';
import { shown } from '../mapping/sums';
import type { Payload } from '../payload';
import type { DateZones } from '../source';
import { codeOf } from './message';
import { CURRENCY, type Moved, readMoved } from './moved';

const CANCELLED = 'CANCELADO';
const YES = 'S';
/** Which instalment a title is, and of how many: `001/003`. */
const INSTALMENT = /^(\d{1,3})(?:\/\d{1,3})?$/;

/** A receivable or bill (título) with the money that moved for it. */
export interface Title {
  /** The whole answer that it was found in. */
  readonly answer: Payload;
  readonly head: Payload;
  readonly id: string;
  /** What people know it by: the document's number, and which instalment of it it is. */
  readonly number: string;
  readonly value: Money;
  /** Which instalment of its document it is, from 1; absent: Omie does not say. */
  readonly instalment?: number;
  readonly person: string;
  readonly issuedAt: Date;
  readonly dueDate?: CalendarDate;
  readonly isCancelled: boolean;
  readonly moved: readonly Moved[];
  /** Sentences about what moved otherwise than as a part of the title. */
  readonly differences: string[];
}

/** @throws UnreadablePayload */
export function readTitle(answer: Payload, title: Payload, zones: DateZones): Title {
  const head = title.at('cabecTitulo');
  const id = codeOf(head, 'nCodTitulo');
  const value = head.amount('nValorTitulo', CURRENCY) ?? head.missing('nValorTitulo');
  if (!value.isPositive) head.fail('nValorTitulo', 'must be more than zero');
  const moved = readMoved(title, zones);
  const isSettled = title.at('resumo').text('cLiquidado') === YES;
  return defined({
    ...{ answer, head, id, value, moved, number: numberOf(head, id) },
    person: codeOf(head, 'nCodCliente'),
    issuedAt: brazilianInstant(head, 'dDtEmissao', zones) ?? head.missing('dDtEmissao'),
    dueDate: brazilianDay(head, 'dDtVenc', zones.timeZone),
    instalment: instalmentOf(head.text('cNumParcela')),
    isCancelled: head.text('cStatus') === CANCELLED,
    differences: [...moved.flatMap(besides), ...(isSettled ? restOf(id, value, moved) : [])],
  });
}

function numberOf(head: Payload, id: string): string {
  const document = head.text('cNumDocFiscal') ?? head.text('cNumTitulo') ?? id;
  return [document, head.text('cNumParcela')].filter(Boolean).join(' ');
}

/** The number of an instalment that Omie writes as `001/003`, from 1; undefined where it writes none. */
export function instalmentOf(text: string | undefined): number | undefined {
  const [, number] = INSTALMENT.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Sentences about what came besides the title, or was let off. */
function besides({ id, late, discount }: Moved): string[] {
  return [
    ...(late > 0n
      ? [`Interest and fines of ${shown(late, CURRENCY)} moved with entry ${id}: book them by hand.`]
      : []),
    ...(discount > 0n
      ? [`A discount of ${shown(discount, CURRENCY)} was given with entry ${id}: write it off by hand.`]
      : []),
  ];
}

/** A sentence where Omie calls a title settled, and less or more moved: taxes that were withheld, or what was written off. */
function restOf(id: string, value: Money, moved: readonly Moved[]): string[] {
  const sum = moved.reduce((all, { principal, discount }) => all + principal.minor + discount, 0n);
  return moved.length > 0 && sum !== value.minor
    ? [
        `Title ${id} of ${value.withCurrency()} is settled with ${shown(sum, CURRENCY)}: see at Omie what became of the rest.`,
      ]
    : [];
}
