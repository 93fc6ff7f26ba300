import type { Type } from '@nestjs/common';
import { ActionsController } from './actions.controller';
import { RuleAdministration } from './rule-administration';
import { RulePreview } from './rule-preview';
import { RulesController } from './rules.controller';
import { TableAdministration } from './table-administration';
import { TablesController } from './tables.controller';
import { Trials } from './trials';

export const RULE_CONTROLLERS: Type[] = [RulesController, ActionsController, TablesController];

/** Need `RulesRepository`, `Catalog`, `UnderstoodAgain` and `AuditRepository`. */
export const RULE_PROVIDERS: Type[] = [RuleAdministration, RulePreview, TableAdministration, Trials];
