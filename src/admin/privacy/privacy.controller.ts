import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { closedSignal } from '../../http/closed-signal';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { ErasureList } from '../../privacy/erasure-list.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers } from '../operation';
import { Privacy } from './privacy';
import {
  ErasurePage,
  ErasureView,
  PrivacyEraseBody,
  PrivacyEraseView,
  PrivacyExportBody,
  PrivacyExportView,
} from './privacy.dto';
import { PrivacyExports } from './privacy-exports';

/** What the law on personal data (LGPD) gives a person a right to. */
@OperatorsApi('Privacy')
@Controller('admin/organizations/:org/privacy')
export class PrivacyController {
  constructor(
    private readonly privacy: Privacy,
    private readonly exports: PrivacyExports,
    private readonly erasures: ErasureList,
  ) {}

  @Post('export')
  @Answers(
    PrivacyExportView,
    'Show all that is stored of a person',
    'Whoever is named by exactly one of `document`, `email`, `customer` and `delivery`. Each page stands in the audit log, without saying who it is about. 404 where nothing is stored.',
  )
  @ApiProblems('saturated', 'body-purged', 'shutting-down')
  export(
    @CurrentActor() actor: Actor,
    @JsonBody(PrivacyExportBody, { refuseUnknown: true }) body: PrivacyExportBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrivacyExportView> {
    return this.exports.export(actor, body, closedSignal(reply));
  }

  @Post('erase')
  @Answers(
    PrivacyEraseView,
    'Say what would be erased of a person, or have it erased',
    'First without effects: the answer names its plan. With `dryRun` false and that plan an erasure is begun, which any replica carries out. 409 with the plan as it is now where that is another one, and where what was given belongs to several people. 404 where nothing is stored.',
  )
  @ApiProblems('conflict', 'saturated', 'body-purged', 'shutting-down')
  erase(
    @CurrentActor() actor: Actor,
    @JsonBody(PrivacyEraseBody, { refuseUnknown: true }) body: PrivacyEraseBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrivacyEraseView> {
    return this.privacy.erase(actor, body, closedSignal(reply));
  }

  @Get('erasures')
  @Answers(ErasurePage, 'List erasures, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<ErasureView>> {
    return operatorsPage(await this.erasures.list(organization.id, page), page);
  }

  @Get('erasures/:id')
  @Answers(ErasureView, 'Say how far an erasure is')
  async show(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<ErasureView> {
    const erasure = await this.erasures.find(organization.id, id);
    if (!erasure) throw new Problem('not-found', 'There is no such erasure');
    return erasure;
  }
}
