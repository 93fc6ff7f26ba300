import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { MetricsAccessGuard } from '../http/metrics-access.guard';
import { PrometheusMetrics } from './prometheus-metrics';

@ApiTags('Operation')
@ApiSecurity('bearer')
@UseGuards(MetricsAccessGuard)
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: PrometheusMetrics) {}

  @Get()
  @ApiProduces('text/plain')
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
