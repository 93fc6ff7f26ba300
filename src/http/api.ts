import { applyDecorators, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Scope } from '../organizations/scope';
import { ApiKeyGuard } from './api-key.guard';
import { ALWAYS_NEEDS_KEY, REQUIRED_SCOPE } from './guard-metadata';
import { JsonReplyInterceptor } from './json-reply.interceptor';
import { OperatorGuard } from './operator.guard';

/**
 * Marks a controller whose routes need an API key of an organization: the finance interface and the feed.
 * Every route must also say which scope it needs, with {@link RequireScope}.
 */
export function KeyedApi(tag: string): ClassDecorator {
  return applyDecorators(
    UseGuards(ApiKeyGuard),
    UseInterceptors(JsonReplyInterceptor),
    ApiTags(tag),
    ApiSecurity('bearer'),
    ApiSecurity('ApiToken'),
    ApiSecurity('apitoken'),
    ApiQuery({ name: 'Organization', required: false, description: "The organization's id or slug" }),
  );
}

/**
 * Marks a controller for operators: the operators' key, or an organization's key with scope `admin`, which
 * then sees that organization only. A route with `:org` in its path works for that organization.
 */
export function OperatorsApi(tag: string): ClassDecorator {
  return applyDecorators(
    UseGuards(OperatorGuard),
    UseInterceptors(JsonReplyInterceptor),
    ApiTags(tag),
    ApiSecurity('bearer'),
  );
}

/** The scope a key must have for a route, or for all routes of a controller. */
export function RequireScope(scope: Scope): MethodDecorator & ClassDecorator {
  return SetMetadata(REQUIRED_SCOPE, scope);
}

/** The route needs a key even where `FINANCE_AUTH=organization` lets the organization's name suffice. */
export function AlwaysNeedsKey(): MethodDecorator {
  return SetMetadata(ALWAYS_NEEDS_KEY, true);
}
