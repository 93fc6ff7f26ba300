import { Controller, Get } from '@nestjs/common';
import { KeyedApi, RequireScope } from '../../src/http/api';

/** Delays a request until the test releases it, so that the process has one under way. */
@KeyedApi('Delayed')
@RequireScope('finance:read')
@Controller('v1/delayed')
export class DelayedController {
  static arrived: () => void = () => undefined;
  static release: () => void = () => undefined;

  @Get()
  delay(): Promise<void> {
    const released = new Promise<void>((resolve) => (DelayedController.release = resolve));
    DelayedController.arrived();
    return released;
  }
}
