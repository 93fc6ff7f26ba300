import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { type Endpoint, NotificationEndpoints } from '../../notifications/endpoints.repository';
import { AuditRepository } from '../audit.repository';
import { Answers, Creates, Does } from '../operation';
import { ReasonQuery } from '../reason-query';
import { isEndpointName, readEndpointName, readEndpointSecret, readEndpointUrl } from './endpoint-values';
import {
  EndpointList,
  EndpointView,
  MadeEndpointView,
  NewEndpointBody,
  NewEndpointSecretBody,
} from './endpoints.dto';

/** How many an organization may have, so that the list is whole. */
const MOST_ENDPOINTS = 50;
/** Live at once, while a secret is replaced. */
const MOST_SECRETS = 2;

const NAME = { name: 'name', type: String, description: "The endpoint's name" } as const;

/** The addresses that rules may send messages to. No secret is ever shown again. */
@OperatorsApi('Notifications')
@Controller('admin/organizations/:org/notifications/endpoints')
export class NotificationEndpointsController {
  constructor(
    private readonly database: Database,
    private readonly endpoints: NotificationEndpoints,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(EndpointList, 'List the addresses that rules may send messages to, by name; 50 at most')
  async list(@CurrentOrganization() organization: Organization): Promise<EndpointList> {
    return { items: (await this.endpoints.list(organization.id)).map(viewOf), after: null };
  }

  @Post()
  @Creates(
    MadeEndpointView,
    'Let rules send messages to an address; the reply alone shows a secret made for it',
  )
  async create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewEndpointBody) { name: given, url: address, secret: text, reason }: NewEndpointBody,
  ): Promise<MadeEndpointView> {
    const [name, url] = [readEndpointName(given), readEndpointUrl(address)];
    const { secret, made } = readEndpointSecret(text);
    const { id } = actor.organization;
    const createdAt = this.clock.now();
    await this.database.transaction(async (tx) => {
      if ((await this.endpoints.count(tx, id)) >= MOST_ENDPOINTS)
        throw new Problem('conflict', `An organization has at most ${MOST_ENDPOINTS} notification endpoints`);
      if (!(await this.endpoints.create(tx, id, { name, url, secrets: [secret] }, createdAt)))
        throw new Problem('conflict', 'There is a notification endpoint with this name');
      const after = { url, secretCount: 1 };
      await this.audit.record(tx, actor, { action: 'endpoint.create', subject: name, after, reason });
    });
    return { name, url, secretCount: 1, createdAt, secret: made ? secret : null };
  }

  /** @throws Problem not-found */
  @Delete(':name')
  @ApiParam(NAME)
  @Does('Send no more messages to an address; those that wait for it are refused')
  async remove(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @ReasonQuery() reason?: string,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { url, secrets } = await this.locked(tx, actor, name);
      await this.endpoints.remove(tx, actor.organization.id, name);
      const before = { url, secretCount: secrets.length };
      await this.audit.record(tx, actor, { action: 'endpoint.remove', subject: name, before, reason });
    });
  }

  /** @throws Problem not-found, validation-failed; conflict when it is live, or two are */
  @Post(':name/secrets')
  @ApiParam(NAME)
  @Creates(MadeEndpointView, 'Sign with another secret as well, until the receiver knows it')
  addSecret(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @JsonBody(NewEndpointSecretBody) { secret: text, reason }: NewEndpointSecretBody,
  ): Promise<MadeEndpointView> {
    const { secret, made } = readEndpointSecret(text);
    return this.database.transaction(async (tx) => {
      const endpoint = await this.locked(tx, actor, name);
      if (endpoint.secrets.includes(secret)) throw new Problem('conflict', 'This secret is live already');
      if (endpoint.secrets.length >= MOST_SECRETS)
        throw new Problem('conflict', `At most ${MOST_SECRETS} secrets are live at once; retire the old one`);
      const changed = await this.putSecrets(tx, actor, endpoint, [secret, ...endpoint.secrets], {
        action: 'endpoint.add-secret',
        reason,
      });
      return { ...changed, secret: made ? secret : null };
    });
  }

  /** @throws Problem not-found */
  @Post(':name/secrets/retire')
  @ApiParam(NAME)
  @Answers(EndpointView, 'Sign with the newest secret alone')
  retireSecrets(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @ReasonQuery() reason?: string,
  ): Promise<EndpointView> {
    return this.database.transaction(async (tx) => {
      const endpoint = await this.locked(tx, actor, name);
      if (endpoint.secrets.length === 1) return viewOf(endpoint);
      const action = 'endpoint.retire-secrets';
      return this.putSecrets(tx, actor, endpoint, endpoint.secrets.slice(0, 1), { action, reason });
    });
  }

  private async putSecrets(
    tx: Transaction,
    actor: Actor,
    endpoint: Endpoint,
    secrets: string[],
    entry: { action: string; reason?: string | null | undefined },
  ): Promise<EndpointView> {
    await this.endpoints.putSecrets(tx, endpoint.id, secrets);
    await this.audit.record(tx, actor, {
      ...{ action: entry.action, subject: endpoint.name, reason: entry.reason },
      before: { secretCount: endpoint.secrets.length },
      after: { secretCount: secrets.length },
    });
    return viewOf({ ...endpoint, secrets });
  }

  private async locked(tx: Transaction, { organization }: Actor, name: string): Promise<Endpoint> {
    const endpoint = isEndpointName(name) ? await this.endpoints.lock(tx, organization.id, name) : undefined;
    if (!endpoint) throw new Problem('not-found', 'There is no such notification endpoint');
    return endpoint;
  }
}

function viewOf({ name, url, secrets, createdAt }: Endpoint): EndpointView {
  return { name, url, secretCount: secrets.length, createdAt };
}
