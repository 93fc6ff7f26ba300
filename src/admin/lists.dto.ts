import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { OperatorsPage } from './list-query';

/** The class of a page of `view`s, which has a name of its own in the API's description. */
export function PageOf<T>(view: Type<T>): Type<OperatorsPage<T>> {
  class Page {
    @ApiProperty({ type: [view] })
    items!: T[];

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'What to send as `after`; null on the last page',
    })
    after!: string | null;
  }
  return Page;
}

/** The class of a list of `view`s that comes whole, in the form of a page. */
export function WholeListOf<T>(view: Type<T>): Type<{ items: T[]; after: null }> {
  class WholeList {
    @ApiProperty({ type: [view] })
    items!: T[];

    @ApiProperty({ type: String, nullable: true, description: 'Always null: the list is whole' })
    after!: null;
  }
  return WholeList;
}
