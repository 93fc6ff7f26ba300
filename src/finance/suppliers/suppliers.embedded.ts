import { Injectable } from '@nestjs/common';
import type { ListPart } from '../shapes/lists.dto';
import { notBuilt } from '../operations';
import type { SupplierView } from './suppliers.dto';
import { SuppliersPort } from './suppliers.port';

@Injectable()
export class SuppliersEmbedded extends SuppliersPort {
  override list(): Promise<ListPart<SupplierView>> {
    return Promise.reject(notBuilt('suppliers.list'));
  }
}
