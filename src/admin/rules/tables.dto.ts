import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { Refusal, setReader } from '../../http/field';
import { IsText, Optional } from '../../http/validation';
import type { LosslessJson } from '../../kernel/lossless-json';
import { isObject } from '../../kernel/json-object';
import { WholeListOf } from '../lists.dto';

const ENTRIES = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class TableBody {
  @IsDefined({ message: 'is required' })
  @ApiProperty({ ...ENTRIES, description: 'All of them; "default" answers for every key without an entry' })
  @setReader(entriesOf)
  entries!: ReadonlyMap<string, LosslessJson>;

  /** Stands in the audit log. */
  @Optional()
  @IsText()
  reason?: string | null;
}

export class TableView {
  @ApiProperty()
  name!: string;

  @ApiProperty(ENTRIES)
  entries!: Record<string, string>;
}

export class TableList extends WholeListOf(TableView) {}

/** As sent: `__proto__` is a key like any other. */
function entriesOf(json: LosslessJson): ReadonlyMap<string, LosslessJson> | Refusal {
  return isObject(json)
    ? new Map(Object.entries(json))
    : new Refusal('object', 'must be an object of keys and texts');
}
