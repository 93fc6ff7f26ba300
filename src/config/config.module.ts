import { type DynamicModule, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock';
import { type Configuration } from './configuration';
import { Settings } from './settings';

/** Injection token of the {@link Configuration} read at start-up. */
export const CONFIGURATION = Symbol('CONFIGURATION');

/** Settings, configuration and the clock, for every module. */
@Module({})
export class ConfigModule {
  static with(settings: Settings, configuration: Configuration): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: CONFIGURATION, useValue: configuration },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [Settings, CONFIGURATION, Clock],
    };
  }
}
