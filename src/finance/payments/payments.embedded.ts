import { Injectable } from '@nestjs/common';
import { notBuilt } from '../operations';
import { PaymentsPort } from './payments.port';

@Injectable()
export class PaymentsEmbedded extends PaymentsPort {
  override register(): Promise<string> {
    return Promise.reject(notBuilt('payments.register'));
  }

  override remove(): Promise<void> {
    return Promise.reject(notBuilt('payments.remove'));
  }
}
