import { Controller, Get } from '@nestjs/common';
import { OperatorsApi } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import { RETAINED_KINDS } from '../retention/retained-kinds';
import { RetentionProgress } from '../retention/retention-progress.repository';
import { Answers } from './operation';
import { RetentionStatusView } from './organizations.dto';

/** How far what organizations keep for a time only is removed. */
@OperatorsApi('Organizations')
@Controller('admin/organizations/:org/retention')
export class RetentionController {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly progress: RetentionProgress,
  ) {}

  @Get()
  @Answers(RetentionStatusView, 'Show when what is no longer kept was last removed, and whether some is left')
  async status(@CurrentOrganization() { id }: Organization): Promise<RetentionStatusView> {
    const { retention } = await this.organizations.record(id);
    const progress = new Map((await this.progress.of(id)).map((one) => [one.kind, one]));
    const kinds = RETAINED_KINDS.map(({ kind }) => {
      const { ranAt = null, removed = 0, removedEver = 0n, ended = true } = progress.get(kind) ?? {};
      const days = retention[kind];
      const complete = days === null || (ranAt !== null && ended);
      return { kind, days, ranAt, removed, removedEver: Number(removedEver), complete };
    });
    return { kinds };
  }
}
