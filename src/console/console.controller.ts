import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { ConsoleFiles } from './console-files';

const YEAR = 'public, max-age=31536000, immutable';

/** The operators' page. It has no data of its own: all that it shows it asks of the operators' API. */
@ApiExcludeController()
@Controller('console')
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  @Get()
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.send('', request, reply);
  }

  /** @throws Problem not-found */
  @Get('*')
  async file(
    @Param('*') path: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.send(path, request, reply);
  }

  private async send(path: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const file = await this.files.find(path, [headers['accept-encoding']].flat().join(','));
    if (!file) throw new Problem('not-found', 'There is nothing at this path');
    const { content, type, encoding, isImmutable } = file;
    void reply.headers({
      'content-type': type,
      'cache-control': isImmutable ? YEAR : 'no-cache',
      vary: 'Accept-Encoding',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    });
    await reply.send(content);
  }
}
