import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Organization } from '../kernel/organization';

/** Who sent a request, as the guards found out. */
export interface Caller {
  /** Identifier of the API key; absent where the organization's name alone identifies it (`FINANCE_AUTH=organization`). */
  readonly keyId?: string;
  /** Absent: the operators' key, and no organization is named by the path. */
  readonly organization?: Organization;
  /** The operators' key, which belongs to no organization. */
  readonly isOperator: boolean;
}

/** A caller who works on one organization's records, which the path names. */
export interface Actor extends Caller {
  readonly organization: Organization;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards; null before, and on routes without one. */
    caller: Caller | null;
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('this route has no guard that identifies the caller');
  return request.caller;
}

/** The identifier that stands in the audit log for whoever sent a request. */
export function actorOf(caller: Caller): string {
  if (caller.keyId === undefined) throw new Error('a caller without a key changes nothing that is audited');
  return caller.keyId;
}

/** The organization a request works for (kernel `Organization`). */
export const CurrentOrganization = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => actorIn(context).organization,
);

/** Who sent the request, and the organization that it works for ({@link Actor}). */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  actorIn(context),
);

export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function actorIn(context: ExecutionContext): Actor {
  const { organization, ...caller } = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!organization) throw new Error('this route works for no organization');
  return { ...caller, organization };
}
