import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Readiness, type Condition } from './readiness';

interface HealthReport extends Pick<Condition, 'status'> {
  reasons?: Condition['reasons'];
}

/** For the orchestrator: is the process alive, should it get work? Needs no key and tells no secrets. */
@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @HttpCode(200)
  @ApiOperation({ summary: 'The process answers' })
  live(): HealthReport {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'The process should get work, `degraded` or not; 503 with the reasons when it should not',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    void reply.header('cache-control', 'no-store');
    const { status, reasons } = await this.readiness.condition();
    if (status === 'unavailable') void reply.code(503).header('retry-after', '1');
    return reasons.length > 0 ? { status, reasons } : { status };
  }
}
