import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiProblems } from '../http/api';
import { MetricsAccessGuard } from '../http/metrics-access.guard';
import { PrometheusMetrics } from './prometheus-metrics';

@ApiTags('Operation')
@ApiSecurity('bearer')
@ApiSecurity({})
@UseGuards(MetricsAccessGuard)
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: PrometheusMetrics) {}

  @Get()
  @ApiProduces('text/plain')
  @ApiOkResponse({ type: String })
  @ApiProblems('malformed-request', 'key-missing', 'key-invalid', 'scope-missing', 'too-many-requests')
  @ApiOperation({
    summary: 'Metrics in the text form of Prometheus',
    description:
      "With METRICS_TOKEN or the operators' key; without, at the operators' own port, or on the same machine.",
  })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType);
    return this.metrics.read();
  }
}
