import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Readiness, type Condition } from './readiness';

class HindranceView {
  @ApiProperty()
  source!: string;

  @ApiProperty()
  reason!: string;
}

class HealthReport implements Pick<Condition, 'status'> {
  @ApiProperty({ enum: ['ok', 'degraded', 'unavailable'] })
  status!: Condition['status'];

  @ApiProperty({ type: [HindranceView], required: false, description: 'What is wrong' })
  reasons?: Condition['reasons'];
}

/** For the orchestrator: is the process alive, should it get work? Needs no key and shows no secrets. */
@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @HttpCode(200)
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: HealthReport })
  live(): HealthReport {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'The process should get work, `degraded` or not; 503 with the reasons when it should not',
  })
  @ApiOkResponse({ type: HealthReport })
  @ApiServiceUnavailableResponse({ type: HealthReport, description: 'It should get no work' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    void reply.header('cache-control', 'no-store');
    const { status, reasons } = await this.readiness.condition();
    if (status === 'unavailable') void reply.code(503).header('retry-after', '1');
    return reasons.length > 0 ? { status, reasons } : { status };
  }
}
