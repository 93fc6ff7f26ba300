import { Money } from '../../kernel/money';
import { Problem } from '../../kernel/problem';
import type { Attention } from '../api/effects/attention';
import type { EffectRequest, EffectResult } from '../api/effects/effect';
import { readMoney } from '../api/effects/effect-input';
import { refusalCode } from '../api/effects/record-missing';
import type { EffectKey, EffectRecord } from './effects.repository';
import { hasUnprintable } from '../../kernel/text';

/** Longest business key: what a unique index holds with ease. */
const MAX_KEY = 500;

/**
 * What an effect amounts to, in minor units, where it says so.
 * @throws Problem when that or the key cannot be kept
 */
export function readAmount({ organization, effect }: EffectRequest): bigint | undefined {
  if (effect.key.length > MAX_KEY || hasUnprintable(effect.key) || effect.key === '') {
    throw new Problem('validation-failed', `an effect's key must be 1 to ${MAX_KEY} printable characters`);
  }
  const amount = effect.amount === undefined ? undefined : readMoney('amount', effect.amount, organization);
  if (amount?.isNegative) throw new Problem('validation-failed', 'the amount must not be negative');
  return amount?.minor;
}

export function refusal(problem: Problem): EffectResult {
  return { state: 'refused', code: refusalCode(problem), reason: problem.detail };
}

/** The refusal of what counts only where the order is booked. */
export function notBooked(reason: string): EffectResult {
  return { state: 'refused', code: 'validation-failed', reason };
}

/** The refusal of an effect whose key stands for one of another operation; undefined: it does not. */
export function otherOperation(
  { effect }: EffectRequest,
  record: Pick<EffectRecord, 'operation'>,
): EffectResult | undefined {
  if (record.operation === effect.operation) return undefined;
  const detail = `the key ${effect.key} stands for another effect: ${record.operation}`;
  return { state: 'refused', code: 'conflict', reason: detail };
}

/** The result of an effect that was applied before under its key. @param amountMinor what it amounts to now */
export function existing(
  request: EffectRequest,
  amountMinor: bigint | undefined,
  record: Pick<EffectRecord, 'operation' | 'amountMinor' | 'output'>,
): EffectResult {
  return (
    otherOperation(request, record) ?? {
      state: 'existing',
      output: record.output,
      attention: amountDiffers(request, amountMinor, record.amountMinor ?? undefined),
    }
  );
}

export function amountDiffers(
  { organization: { currency }, effect: { key } }: EffectRequest,
  amountMinor: bigint | undefined,
  recorded: bigint | undefined,
): Attention[] {
  if (amountMinor === undefined || recorded === undefined || amountMinor === recorded) return [];
  const [before, now] = [recorded, amountMinor].map((minor) => Money.ofMinor(minor, currency).toString());
  return [
    {
      code: 'amount-differs',
      detail: `${key} was applied with ${before} ${currency} and is now asked for with ${now} ${currency}; nothing was changed`,
      amount: now ?? '',
    },
  ];
}

/** Whether an effect wrote something off. One without a payment found nothing open. @param record absent: it was not applied */
export function wroteOff(record: EffectRecord | undefined): boolean {
  return record?.output.id !== undefined;
}

/** The effect that may have written off what a request would be compared with; undefined: nothing is asked about it, or none may have. */
export function mayBeWrittenOff(
  { organization, effect }: EffectRequest,
  result: EffectResult,
): EffectKey | undefined {
  if (effect.operation !== 'credit-schedule.create' || effect.input.writeOff === undefined) return undefined;
  if (result.state !== 'existing' || result.attention.length === 0) return undefined;
  return { organizationId: organization.id, key: effect.input.writeOff };
}
