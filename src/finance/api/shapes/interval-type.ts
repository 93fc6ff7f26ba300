import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { exactDecimal } from '../../../kernel/exact-decimal';
import { Refusal, setReader } from '../../../http/field';
import { isLosslessNumber, type LosslessJson } from '../../../kernel/lossless-json';

const WORDS = ['Day', 'Week', 'Month', 'Year'];
const INTERVAL_TYPES = ['day', 'week', 'month', 'year'] as const;

export type IntervalType = (typeof INTERVAL_TYPES)[number];

/**
 * The unit of a recurrence, read into {@link IntervalType}: a word in any letter case, or its number, as text
 * or as a JSON number, because clients that serialise an enumeration send either.
 */
export function IsIntervalType(): PropertyDecorator {
  return applyDecorators(
    IsDefined({ message: 'is required' }),
    ApiProperty({ type: String, enum: WORDS, description: 'In any letter case; or 0, 1, 2, 3' }),
    setReader(
      (value) =>
        INTERVAL_TYPES[positionOf(value)] ??
        new Refusal('interval-type', `must be one of ${WORDS.join(', ')}, or 0 to 3`),
    ),
  );
}

/** -1 when there is no such unit. */
function positionOf(value: LosslessJson): number {
  const text = isLosslessNumber(value) ? exactDecimal(value.toString()) : value;
  if (typeof text !== 'string') return -1;
  const word = text.trim().toLowerCase();
  return INTERVAL_TYPES.findIndex((type, position) => word === type || word === String(position));
}
