import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PrometheusMetrics } from './prometheus-metrics';

@ApiTags('Operation')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: PrometheusMetrics) {}

  @Get()
  @ApiProduces('text/plain')
  @ApiOperation({ summary: 'Metrics in the text form of Prometheus' })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.type(this.metrics.contentType);
    return this.metrics.read();
  }
}
