import { Controller, Delete, Get, HttpCode, Module, Param, Post, Put, UseInterceptors } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsOptional } from 'class-validator';
import request from 'supertest';
import { createApp } from './create-app';
import { JsonBody } from './json-body';
import { JsonReplyInterceptor } from './json-reply.interceptor';
import { IsText } from './validation';

class ThingBody {
  @IsText({ max: 10 })
  name!: string;

  @IsOptional()
  @IsText()
  note?: string | null;
}

@Controller('things')
@UseInterceptors(JsonReplyInterceptor)
class ThingsController {
  @Post()
  @HttpCode(200)
  create(@JsonBody(ThingBody) body: ThingBody): string {
    return `made ${body.name}`;
  }
  @Put(':id')
  @HttpCode(204)
  replace(@Param('id') _id: string, @JsonBody(ThingBody) _body: ThingBody): void {}

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') _id: string, @JsonBody(ThingBody) _body?: ThingBody): void {}

  @Get('broken')
  broken(): never {
    throw new Error('secret detail');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createApp(ThingsModule);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
});
afterAll(() => app.close());

test('smoke', async () => {
  const http = request(app.getHttpServer());
  const show = (r: request.Response) => console.log(r.status, r.headers, r.text);
  show(await http.post('/things').send({ name: 'x', other: 1, 'é\n': 1 }));
  show(await http.post('/things').send({ note: 7 }));
  show(await http.post('/things').set('content-type', 'application/json').send('{"a":'));
  show(await http.post('/things').set('content-type', 'text/plain').send('{"a":'));
  show(await http.post('/things').set('content-type', 'nonsense').send('{"a":'));
  show(
    await http
      .post('/things')
      .set('content-type', 'application/json')
      .send('x'.repeat(1024 * 1024 + 1)),
  );
  show(await http.put('/things'));
  show(await http.put('/thingz'));
  show(await http.get('/things/%zz'));
  show(await http.get('/things/broken'));
  show(await http.delete('/things/1').set('content-type', 'application/json'));
  show(await http.post('/things').set('accept', 'application/xml').send({ name: 'x' }));
  show(await http.head('/things'));
});
