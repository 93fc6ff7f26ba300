import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller';
import { ConsoleFiles } from './console-files';

/** The operators' page at `/console`. */
@Module({
  controllers: [ConsoleController],
  providers: [{ provide: ConsoleFiles, useFactory: () => new ConsoleFiles() }],
})
export class ConsoleModule {}
