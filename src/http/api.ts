import { applyDecorators, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExtension, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { ProblemCode } from '../kernel/problem';
import type { Scope } from '../organizations/scope';
import { ALWAYS_NEEDS_KEY, ApiKeyGuard, REQUIRED_SCOPE } from './api-key.guard';
import { NeedsKey } from './key-need';
import { OperatorGuard } from './operator.guard';
import { ReplyFormInterceptor } from './reply-form.interceptor';
import { AdminRateGuard, RequestRateGuard } from './request-rate.guard';
import { RequestsInFlightInterceptor } from './requests-in-flight.interceptor';

/** Marks for the API's description which of a route's paths is the documented one; the others become its aliases. */
export const CANONICAL_PATH = 'x-canonical-path';
/** Carries the codes of the problems that an operation may answer with to where the description wants them. */
export const PROBLEM_CODES = 'x-problem-codes';
/** Carries what it may answer with besides where a remote service keeps the books. */
export const REMOTE_PROBLEM_CODES = 'x-remote-problem-codes';
const ANY_KEY_PROBLEMS: readonly ProblemCode[] = [
  'malformed-request',
  'key-missing',
  'key-invalid',
  'scope-missing',
  'not-acceptable',
  'too-many-requests',
  'saturated',
  'unavailable',
];
/** What any request may be answered that needs a key of an organization. */
export const KEYED_PROBLEMS: readonly ProblemCode[] = ['organization-mismatch', ...ANY_KEY_PROBLEMS];
/** What any request may be answered that needs a key for operators. */
export const OPERATORS_PROBLEMS: readonly ProblemCode[] = ['not-found', 'cross-site', ...ANY_KEY_PROBLEMS];
/** What a request with a body may be answered besides. */
export const BODY_PROBLEMS: readonly ProblemCode[] = [
  'body-too-large',
  'media-type-unsupported',
  'validation-failed',
];
/** Carries that a route needs a key even where the organization's name suffices for others. */
export const KEY_IN_ANY_CASE = 'x-key-in-any-case';
/** Carries an example of the body to where the API's description wants it. */
export const REQUEST_EXAMPLE = 'x-request-example';

/**
 * Marks a controller whose routes need an API key of an organization: the finance interface and the feed.
 * Every route must also say which scope it needs, with {@link RequireScope}.
 */
export function KeyedApi(tag: string): ClassDecorator {
  return applyDecorators(
    NeedsKey('organization'),
    UseGuards(ApiKeyGuard, RequestRateGuard),
    UseInterceptors(RequestsInFlightInterceptor, ReplyFormInterceptor),
    ApiTags(tag),
    ApiSecurity('bearer'),
    ApiSecurity('ApiToken'),
    ApiSecurity('apitoken'),
    ApiQuery({
      name: 'Organization',
      type: String,
      required: false,
      description: "The organization's id or slug",
    }),
  );
}

/**
 * Marks a controller for operators: the operators' key, or an organization's key with scope `admin`, which
 * then sees that organization only. A route with `:org` in its path works for that organization.
 */
export function OperatorsApi(tag: string): ClassDecorator {
  return applyDecorators(
    NeedsKey('operators'),
    UseGuards(OperatorGuard, AdminRateGuard),
    UseInterceptors(RequestsInFlightInterceptor, ReplyFormInterceptor),
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
  return applyDecorators(SetMetadata(ALWAYS_NEEDS_KEY, true), ApiExtension(KEY_IN_ANY_CASE, true));
}

/** Names the problems that a route may answer with beside those that come of where it stands. */
export function ApiProblems(...codes: readonly ProblemCode[]): MethodDecorator {
  return ApiExtension(PROBLEM_CODES, codes);
}
