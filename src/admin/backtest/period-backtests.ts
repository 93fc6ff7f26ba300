import { Injectable } from '@nestjs/common';
import { SourceDirectory } from '../../deliveries/source-directory';
import type { Organization } from '../../kernel/organization';
import { unacceptable } from '../../kernel/problem';
import { BacktestRules, type RuleChoice } from './backtest-rules';
import { type BacktestRequest, backtestView } from './backtest-view';
import type { BacktestView, PeriodBody } from './backtest.dto';
import { type Backtest, Backtests } from './backtests';
import { readPeriod } from './period';

/** A backtest with what it answers. */
export interface PeriodBacktest {
  request: BacktestRequest;
  backtest: Backtest;
  view: BacktestView;
}

/** Reads what operators ask of a period, and tries rules on its deliveries. */
@Injectable()
export class PeriodBacktests {
  constructor(
    private readonly rules: BacktestRules,
    private readonly backtests: Backtests,
    private readonly sources: SourceDirectory,
  ) {}

  /**
   * @param chosen a rule in place of the one in force
   * @param onlyChosen whether only the effects of that rule are compared
   * @throws Problem validation-failed; not-found for a rule or a version that there is not; conflict; saturated
   */
  async run(
    organization: Organization,
    { from, to, source, limit }: PeriodBody,
    signal: AbortSignal,
    { chosen, onlyChosen = false }: { chosen?: RuleChoice | undefined; onlyChosen?: boolean } = {},
  ): Promise<PeriodBacktest> {
    const period = readPeriod({ from, to }, organization);
    if (chosen?.version !== undefined && chosen.document !== undefined)
      throw unacceptable('/version', 'one-of', 'either version or document is taken, and not both');
    const { planner, version } = await this.rules.choose(organization, chosen);
    const sourceId = source === undefined ? undefined : this.sourceId(organization, source);
    const rule = onlyChosen ? chosen?.name : undefined;
    const backtest = await this.backtests.run(
      {
        organization,
        period: { ...period, ...(sourceId !== undefined && { sourceId }) },
        planner,
        ...(rule !== undefined && { rule }),
      },
      signal,
    );
    const request = { organization, period, source, rule, version, limit };
    return { request, backtest, view: backtestView(request, backtest) };
  }

  private sourceId({ id }: Organization, slug: string): string {
    const source = this.sources.find(id, slug);
    if (source) return source.id;
    throw unacceptable('/source', 'unknown', 'names no source of the organization');
  }
}
