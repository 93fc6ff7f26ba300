import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { OperatorsApi } from '../../http/api';
import { type Actor, CurrentActor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { SharedClock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { NotificationEndpoints } from '../../notifications/endpoints.repository';
import { nextCheck, type Subscription, timeOf } from '../../notifications/subscriptions/subscription';
import { Subscriptions } from '../../notifications/subscriptions/subscriptions.repository';
import { AuditRepository } from '../audit.repository';
import { Answers, Creates, Does } from '../operation';
import { ReasonQuery } from '../reason-query';
import { isEndpointName } from './endpoint-values';
import { readSubscription, type WantedSubscription } from './subscription-values';
import { NewSubscriptionBody, SubscriptionList, SubscriptionView } from './subscriptions.dto';

/** How many an organization may have, so that the list is whole. */
const MOST_SUBSCRIPTIONS = 50;

const NAME = { name: 'name', type: String, description: "The subscription's name" } as const;

/** Who is told of what needs a person, by e-mail or as signed messages. */
@OperatorsApi('Notifications')
@Controller('admin/organizations/:org/notifications/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: Subscriptions,
    private readonly endpoints: NotificationEndpoints,
    private readonly audit: AuditRepository,
    private readonly clock: SharedClock,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Answers(SubscriptionList, 'List who is notified of what needs a person, by name; 50 at most')
  async list(@CurrentOrganization() organization: Organization): Promise<SubscriptionList> {
    return { items: (await this.subscriptions.list(organization.id)).map(viewOf), after: null };
  }

  /** @throws Problem validation-failed; conflict when the name is taken, or there are too many */
  @Post()
  @Creates(
    SubscriptionView,
    'Notify people, or an endpoint, of what needs a person: at once, hourly or daily, beginning with what is open now',
  )
  async create(
    @CurrentActor() actor: Actor,
    @JsonBody(NewSubscriptionBody) body: NewSubscriptionBody,
  ): Promise<SubscriptionView> {
    const wanted = readSubscription(body);
    const { id, timeZone } = actor.organization;
    if (wanted.emails.length > 0 && !this.settings.mailServer)
      throw unacceptable('/emails', 'emails', 'cannot be sent: SMTP_URL and SMTP_FROM are not set');
    if (wanted.endpoint !== null && !(await this.endpoints.find(id, wanted.endpoint)))
      throw unacceptable('/endpoint', 'endpoint', 'must be a notification endpoint that is listed');
    const now = this.clock.now();
    const nextAt = wanted.schedule === 'immediate' ? now : nextCheck(wanted, now, timeZone);
    const made = await this.database.transaction(async (tx) => {
      if ((await this.subscriptions.count(tx, id)) >= MOST_SUBSCRIPTIONS)
        throw new Problem('conflict', `An organization has at most ${MOST_SUBSCRIPTIONS} subscriptions`);
      const created = await this.subscriptions.create(tx, id, { ...wanted, nextAt }, now);
      if (!created) throw new Problem('conflict', 'There is a subscription with this name');
      await this.audit.record(tx, actor, {
        ...{ action: 'subscription.create', subject: wanted.name, reason: body.reason },
        after: auditOf(wanted),
      });
      return created;
    });
    return viewOf(made);
  }

  /** @throws Problem not-found */
  @Delete(':name')
  @ApiParam(NAME)
  @Does('Notify nobody of it any more; its messages that wait are given up')
  async remove(
    @CurrentActor() actor: Actor,
    @Param('name') name: string,
    @ReasonQuery() reason?: string,
  ): Promise<void> {
    const { id } = actor.organization;
    await this.database.transaction(async (tx) => {
      const found = isEndpointName(name) ? await this.subscriptions.lock(tx, id, name) : undefined;
      if (!found) throw new Problem('not-found', 'There is no such subscription');
      await this.subscriptions.remove(tx, id, found.id, this.clock.now());
      const before = auditOf(found);
      await this.audit.record(tx, actor, { action: 'subscription.remove', subject: name, before, reason });
    });
  }
}

function viewOf(subscription: Subscription): SubscriptionView {
  const { name, emails, endpoint, language, schedule, atMinute, about, nextAt, createdAt } = subscription;
  const at = atMinute === null ? null : timeOf(atMinute);
  return {
    ...{ name, emails: [...emails], endpoint, language, schedule, at, about: [...about], nextAt, createdAt },
  };
}

function auditOf({ emails, endpoint, language, schedule, atMinute, about }: WantedSubscription) {
  const at = atMinute === null ? null : timeOf(atMinute);
  return { emails: [...emails], endpoint, language, schedule, at, about: [...about] };
}
