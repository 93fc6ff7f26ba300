import { Injectable } from '@nestjs/common';
import { Rollup } from '../ledger/rollup';
import { foldCounts } from './counts.repository';

/** Folds the appended changes of counts into one row an organization, kind and day. */
@Injectable()
export class CountRollup extends Rollup {
  protected fold(most: number): Promise<number> {
    return foldCounts(this.database.prisma, most);
  }
}
