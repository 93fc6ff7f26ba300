import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import type { VerifiedKey } from '../organizations/api-keys';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import type { Scope } from '../organizations/scope';
import type { Caller } from './caller';
import { credentialOf } from './credential';
import { KeyCheck } from './key-check';
import { queryValue } from './query';

/** Metadata keys that route decorators write. */
export const REQUIRED_SCOPE = Symbol('required scope');
export const ALWAYS_NEEDS_KEY = Symbol('always needs a key');

/**
 * Lets a request pass whose API key is live, belongs to the organization it names (if it names one) and has
 * the route's scope; sets `request.caller`.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
    private readonly keys: KeyCheck,
    private readonly organizations: OrganizationsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const scope = this.metadata<Scope>(REQUIRED_SCOPE, context);
    if (!scope) throw new Error('this route does not say which scope it needs');
    request.caller = this.nameSuffices(scope, context, request)
      ? await this.callerByName(request)
      : await this.callerByKey(request, scope);
    return true;
  }

  private metadata<T>(name: symbol, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(name, [context.getHandler(), context.getClass()]);
  }

  /** Only where configured so, only on the finance interface, and a key that is sent is still checked. */
  private nameSuffices(scope: Scope, context: ExecutionContext, request: FastifyRequest): boolean {
    return (
      this.settings.financeAuth === 'organization' &&
      scope.startsWith('finance:') &&
      this.metadata<boolean>(ALWAYS_NEEDS_KEY, context) !== true &&
      credentialOf(request) === undefined
    );
  }

  private async callerByName(request: FastifyRequest): Promise<Caller> {
    const name = queryValue(request, 'organization');
    if (!name) throw new Problem('key-missing', 'Name the organization, or send an API key');
    const organization = await this.organizations.find(name);
    if (!organization) throw new Problem('not-found', 'There is no such organization');
    return { organization, isOperator: false };
  }

  private async callerByKey(request: FastifyRequest, scope: Scope): Promise<Caller> {
    const key = await this.keys.keyOf(request);
    const organization = organizationOf(key);
    const name = queryValue(request, 'organization');
    if (name && !isNamed(organization, name))
      throw new Problem(
        'organization-mismatch',
        'The key belongs to another organization than the one named',
      );
    if (!key.scopes.includes(scope)) throw new Problem('scope-missing', `The key needs the scope ${scope}`);
    return { keyId: key.id, organization, isOperator: false };
  }
}

function organizationOf(key: VerifiedKey): Organization {
  if (!key.organization)
    throw new Problem(
      'scope-missing',
      "The operators' key belongs to no organization; make it a key of its own",
    );
  return key.organization;
}

function isNamed(organization: Organization, name: string): boolean {
  const wanted = name.trim().toLowerCase();
  return wanted === organization.slug || wanted === organization.id;
}
