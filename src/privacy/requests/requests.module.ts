import { Global, Module } from '@nestjs/common';
import { ErasureRequests } from './erasures.repository';

/** Global: the work on deliveries asks for erasures, and so do operators. */
@Global()
@Module({ providers: [ErasureRequests], exports: [ErasureRequests] })
export class ErasureRequestsModule {}
