import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { KeyedApi, RequireScope } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import { JsonBody } from '../http/json-body';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { readCursor } from './cursor';
import { FeedCursors, type NamedCursor } from './feed-cursors.repository';
import { ApiFeedProblems } from './feed-problems';
import { CursorBody, NamedCursorsView, NamedCursorView } from './feed.dto';
import { FeedRepository } from './feed.repository';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const ApiName = ApiParam({ name: 'name', schema: { type: 'string', pattern: NAME.source } });

/** How far connectors have read, kept for them. */
@KeyedApi('Feed')
@RequireScope('feed:read')
@Controller('feed/cursors')
export class FeedCursorsController {
  constructor(
    private readonly cursors: FeedCursors,
    private readonly feed: FeedRepository,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'feed.cursors', summary: 'List how far connectors have read, by name' })
  @ApiOkResponse({ type: NamedCursorsView })
  @ApiFeedProblems()
  async list(@CurrentOrganization() { id }: Organization): Promise<NamedCursorsView> {
    return { items: (await this.cursors.all(id)).map(toView) };
  }

  @Get(':name')
  @ApiName
  @ApiOperation({ operationId: 'feed.resume', summary: 'Show how far a connector has read' })
  @ApiOkResponse({ type: NamedCursorView })
  @ApiFeedProblems('not-found')
  async get(
    @CurrentOrganization() { id }: Organization,
    @Param('name') name: string,
  ): Promise<NamedCursorView> {
    const found = await this.cursors.find(id, checked(name));
    if (!found) throw new Problem('not-found', 'No cursor of this name was put');
    return toView(found);
  }

  @Put(':name')
  @HttpCode(200)
  @ApiName
  @ApiOperation({
    operationId: 'feed.acknowledge',
    summary: 'Write down how far a connector has read; an earlier cursor lets it read again',
  })
  @ApiOkResponse({ type: NamedCursorView })
  @ApiFeedProblems(
    'conflict',
    'cursor-unknown',
    'cursor-expired',
    'body-too-large',
    'media-type-unsupported',
    'validation-failed',
  )
  async put(
    @CurrentOrganization() { id }: Organization,
    @Param('name') name: string,
    @JsonBody(CursorBody) { cursor: text }: CursorBody,
  ): Promise<NamedCursorView> {
    const cursor = readCursor(text);
    if (!cursor) {
      const message = 'must be a cursor that the feed gave';
      const errors = [{ pointer: '/cursor', code: 'cursor', message }];
      throw new Problem('validation-failed', `the cursor ${message}`, { errors });
    }
    await this.feed.check(id, cursor);
    return toView(await this.cursors.put(id, checked(name), text));
  }

  @Delete(':name')
  @HttpCode(204)
  @ApiName
  @ApiOperation({ operationId: 'feed.forget', summary: 'Forget a connector that is no more' })
  @ApiNoContentResponse({ description: 'Done' })
  @ApiFeedProblems('not-found')
  async remove(@CurrentOrganization() { id }: Organization, @Param('name') name: string): Promise<void> {
    if (!(await this.cursors.remove(id, checked(name))))
      throw new Problem('not-found', 'No cursor of this name was put');
  }
}

function checked(name: string): string {
  if (NAME.test(name)) return name;
  throw new Problem('malformed-request', 'A name has 1 to 100 letters, digits, dots, hyphens or underscores');
}

function toView({ updatedAt, ...cursor }: NamedCursor): NamedCursorView {
  return { ...cursor, updatedAt: updatedAt.toISOString() };
}
