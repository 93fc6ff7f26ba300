import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import type { VerifiedKey } from '../organizations/api-keys';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import { KeyCheck } from './key-check';

/**
 * Lets operators pass: the operators' key, or an organization's key with scope `admin`. To the latter every
 * other organization looks as if it did not exist. Sets `request.caller`.
 */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly keys: KeyCheck,
    private readonly organizations: OrganizationsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = await this.keys.keyOf(request);
    if (!key.scopes.includes('admin')) throw new Problem('scope-missing', 'The key needs the scope admin');
    const named = (request.params as { org?: string }).org;
    const organization = named === undefined ? key.organization : await this.organizationFor(key, named);
    request.caller = {
      keyId: key.id,
      isOperator: key.organization === undefined,
      ...(organization && { organization }),
    };
    return true;
  }

  private async organizationFor(key: VerifiedKey, named: string): Promise<Organization> {
    const organization = await this.organizations.find(named);
    if (!organization || (key.organization && key.organization.id !== organization.id))
      throw new Problem('not-found', 'There is no such organization');
    return organization;
  }
}
