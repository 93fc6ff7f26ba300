import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { Refusal, setReader } from '../../http/field';
import type { LosslessJson } from '../../kernel/lossless-json';
import { isObject } from '../../kernel/json-object';
import { ObjectOf, reply, request } from '../fields';
import { WholeListOf } from '../lists.dto';

const ENTRIES = { type: 'object', additionalProperties: { type: 'string' } } as const;
const ALL_ENTRIES = 'All of them; "default" answers for every key without an entry';

export class TableBody extends ObjectOf({
  entries: request.other<ReadonlyMap<string, LosslessJson>>(
    setReader(entriesOf),
    ApiProperty({ ...ENTRIES, description: ALL_ENTRIES }),
    IsDefined({ message: 'is required' }),
  ),
  reason: request.reason(),
}) {}

export class TableView extends ObjectOf({
  name: reply.text(),
  entries: reply.other<Record<string, string>>(ENTRIES),
  warnings: reply.texts(
    'Sentences about what is valid and seldom meant, such as a key of a source that there is not',
  ),
}) {}

export class TableList extends WholeListOf(TableView) {}

/** As sent: `__proto__` is a key like any other. */
function entriesOf(json: LosslessJson): ReadonlyMap<string, LosslessJson> | Refusal {
  return isObject(json)
    ? new Map(Object.entries(json))
    : new Refusal('object', 'must be an object of keys and texts');
}
