import type { OrderFacts } from '../../events/event';
import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import { brazilianDay, brazilianInstant } from '../mapping/brazilian-dates';
import { MAX_INSTALMENTS } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { fullPaymentKey, orderKey } from '../mapping/keys';
import { lineOfPrice, partOf, sumDifference } from '../mapping/lines';
import type { AwaitedCharge } from '../mapping/order-events';
import { termsOf } from '../mapping/terms';
import type { Payload } from '../payload';
import type { DateZones, SourceContext, StoredWebhook } from '../source';
import { personAnswered } from './answers';
import { codeOf } from './message';
import { CURRENCY, gatewayOf } from './moved';
import { customerOf } from './person';

/** The stage (etapa) of a quote, which nobody ordered yet. */
const QUOTE = '00';
const YES = 'S';
const ONE = 1_000_000n;
const NUMBER = /^\d{1,3}$/;
/** Ways to pay, by the code of the fiscal documents (meio de pagamento). */
const METHODS: Readonly<Record<string, string>> = {
  '01': 'cash',
  '03': 'credit_card',
  '04': 'debit_card',
  '15': 'boleto',
  '17': 'pix',
};

/** One instalment (parcela) of a sales order: Omie makes a receivable of each, so that each is an order. */
export interface Instalment {
  /** From 1. */
  readonly number: number;
  /** Without payments: the receivable tells of them. */
  readonly facts: OrderFacts;
  /** What is to be paid; undefined where the sales order was cancelled. */
  readonly awaited: AwaitedCharge | undefined;
}

/** What an instalment costs, and until when. */
interface Part {
  readonly number: number;
  readonly value: Money;
  readonly dueDate?: CalendarDate;
  readonly method: string;
}

/** Whether nobody ordered it yet. @param order as it is in an answer, and in a list */
export function isQuote(order: Payload): boolean {
  return order.at('cabecalho').text('etapa') === QUOTE;
}

/**
 * The number of the first instalment that costs something, by which all that is said of the sales order is known; undefined
 * where none does.
 * @param order as it is in an answer, and in a list
 * @throws UnreadablePayload
 */
export function firstInstalmentOf(order: Payload, zone: string): number | undefined {
  return partsOf(order, totalOf(order), zone).find(({ value }) => value.isPositive)?.number;
}

/** The business key of the order that an instalment of a sales order is. */
export function instalmentKey(source: string, order: string, number: number): string {
  return orderKey(source, instalmentId(order, number));
}

/** What an instalment of a sales order is called as an order. */
export function instalmentId(order: string, number: number): string {
  return `${order}-${number}`;
}

/**
 * The instalments of a sales order (pedido de venda) that cost something.
 * @throws UnreadablePayload
 */
export function instalmentsOf(answer: Payload, webhook: StoredWebhook, context: SourceContext): Instalment[] {
  const { source, timeZone } = context;
  const place = answer.at('pedido_venda_produto');
  const header = place.at('cabecalho');
  const id = codeOf(header, 'codigo_pedido');
  const total = totalOf(place);
  const times = timesOf(place.at('infoCadastro'), webhook, context);
  const parts = partsOf(place, total, timeZone);
  const person = codeOf(header, 'codigo_cliente');
  const customer = customerOf(personAnswered(webhook, person), source, person);
  const name = header.text('numero_pedido') ?? id;
  const differences = differencesOf(place, listedIn(place), total);
  return parts
    .filter(({ value }) => value.isPositive)
    .map((part) => {
      const { number, value, dueDate } = part;
      const key = instalmentKey(source, id, number);
      const called = `${name} ${number}/${parts.length}`;
      const facts: OrderFacts = defined({
        ...{ key, source, id: instalmentId(id, number), number: called, total: value },
        ...times,
        terms: termsOf(value, [{ value, dueDate }]),
        ...{ instalments: 1, test: false, customer, payments: [], refunds: [], differences },
        lines: [lineOfPrice(`Pedido ${called}`, undefined, ONE, value)],
      });
      return { number, facts, awaited: times.cancelledAt ? undefined : awaitedOf(facts, part) };
    });
}

function totalOf(order: Payload): Money {
  const sums = order.at('total_pedido');
  return sums.amount('valor_total_pedido', CURRENCY) ?? sums.missing('valor_total_pedido');
}

function listedIn(order: Payload): readonly Payload[] {
  return order.at('lista_parcelas').items('parcela', MAX_INSTALMENTS);
}

function partsOf(order: Payload, total: Money, zone: string): Part[] {
  const listed = listedIn(order);
  return listed.length > 0 ? listed.map((one) => readPart(one, zone)) : [wholeOf(total)];
}

function readPart(place: Payload, zone: string): Part {
  const number = place.text('numero_parcela') ?? place.missing('numero_parcela');
  if (!NUMBER.test(number)) place.fail('numero_parcela', 'is not the number of an instalment');
  const code = place.text('meio_pagamento') ?? '';
  return defined({
    number: Number(number),
    value: place.amount('valor', CURRENCY) ?? place.missing('valor'),
    dueDate: brazilianDay(place, 'data_vencimento', zone),
    method: METHODS[code] ?? code,
  });
}

function wholeOf(value: Money): Part {
  return { number: 1, value, method: '' };
}

function timesOf(
  info: Payload,
  { receivedAt }: StoredWebhook,
  zones: DateZones,
): Pick<OrderFacts, 'createdAt' | 'updatedAt' | 'cancelledAt'> {
  const isCancelled = info.text('cancelado') === YES;
  return defined({
    createdAt: brazilianInstant(info, 'dInc', zones, 'hInc') ?? info.missing('dInc'),
    updatedAt: brazilianInstant(info, 'dAlt', zones, 'hAlt'),
    cancelledAt: isCancelled ? (brazilianInstant(info, 'dCan', zones, 'hCan') ?? receivedAt) : undefined,
  });
}

function differencesOf(place: Payload, listed: readonly Payload[], total: Money): string[] {
  const values = listed.map((one) => partOf(one, 'valor', CURRENCY));
  const isReturned = place.at('infoCadastro').text('devolvido') === YES;
  return [
    ...sumDifference('The instalments come to', values, total),
    ...(isReturned
      ? ['Goods of the sales order came back: enter by hand what was given back for them.']
      : []),
  ];
}

function awaitedOf({ key, total, createdAt }: OrderFacts, { method, dueDate }: Part): AwaitedCharge {
  return {
    charge: defined({
      ...{ key: fullPaymentKey(key), gateway: gatewayOf(), method, value: total },
      dueDate,
    }),
    at: createdAt,
    expired: false,
  };
}
