import { Controller, Get } from '@nestjs/common';
import { KeyedApi, RequireScope } from '../../src/http/api';

/** Delays a request until the test releases it, so that the process has one under way. */
@KeyedApi('Held')
@RequireScope('finance:read')
@Controller('v1/held')
export class HeldController {
  static arrived: () => void = () => undefined;
  static letGo: () => void = () => undefined;

  @Get()
  hold(): Promise<void> {
    const held = new Promise<void>((resolve) => (HeldController.letGo = resolve));
    HeldController.arrived();
    return held;
  }
}
