import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiOperatorsPage } from './list-query';

/*
 * What operators' operations answer when all goes well: the status, and what the API's description says of it. Each
 * stands below `@Get`, `@Post` and the like, which say where the operation is.
 */

/** 200 with one `view`. @param summary what the operation does, in one sentence */
export function Answers(view: Type, summary: string, description?: string): MethodDecorator {
  return applyDecorators(HttpCode(200), described(summary, description), ApiOkResponse({ type: view }));
}

/** 200 with a page of `view`. */
export function AnswersPage(view: Type, summary: string): MethodDecorator {
  return applyDecorators(described(summary), ApiOperatorsPage(view));
}

/** 201 with the `view` of what was made. */
export function Creates(view: Type, summary: string): MethodDecorator {
  return applyDecorators(HttpCode(201), described(summary), ApiCreatedResponse({ type: view }));
}

/** 204: it is done, and there is nothing to say. */
export function Does(summary: string, description?: string): MethodDecorator {
  return applyDecorators(HttpCode(204), described(summary, description));
}

function described(summary: string, description?: string): MethodDecorator {
  return ApiOperation({ summary, ...(description !== undefined && { description }) });
}
