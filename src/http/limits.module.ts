import { Global, Module } from '@nestjs/common';
import { KeyCheck } from './key-check';
import { RequestRates } from './request-rate.guard';
import { RequestsInFlight } from './requests-in-flight.interceptor';

/** What all APIs of a process count together. Needs `Settings` and `OrganizationsModule`. */
@Global()
@Module({
  providers: [KeyCheck, RequestRates, RequestsInFlight],
  exports: [KeyCheck, RequestRates, RequestsInFlight],
})
export class LimitsModule {}
