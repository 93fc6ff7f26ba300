import { Injectable, type CanActivate } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Problem } from '../../kernel/problem';

/** Lets nobody keep records here that only the finance service can have. */
@Injectable()
export class OwnBooksGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /** @throws Problem conflict when the books are kept by a remote finance service */
  canActivate(): boolean {
    if (this.settings.financeBackend === 'embedded') return true;
    throw new Problem('conflict', 'The finance service keeps these records: FINANCE_BACKEND is remote');
  }
}
