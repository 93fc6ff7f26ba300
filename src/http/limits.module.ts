import { Global, Module } from '@nestjs/common';
import { RequestRates } from './request-rates';
import { RequestsInFlight } from './requests-in-flight.interceptor';

/** What all APIs of a process count together. Needs `Settings`. */
@Global()
@Module({
  providers: [RequestRates, RequestsInFlight],
  exports: [RequestRates, RequestsInFlight],
})
export class LimitsModule {}
