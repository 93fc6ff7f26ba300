import { EVENT_TYPES } from '../../events/event';
import { ObjectOf, reply } from '../fields';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

export const WARNINGS =
  'Sentences about what is valid and seldom meant, such as a key that another rule uses, too, or one that was another before';

/** Why an operator does it, or nothing. */
export class RuleChangeBody extends MaybeReasonBody {}

export class RuleView extends ObjectOf({
  name: reply.text(),
  version: reply.count('The version in force'),
  enabled: reply.flag(),
  event: reply.other<string | null>(
    { type: String, nullable: true, enum: [...EVENT_TYPES, null] },
    'The event it acts on; null where this version of Ponte does not know',
  ),
  createdAt: reply.instant('When the version in force was put for the first time'),
}) {}

export class RuleDetail extends ObjectOf(
  { document: reply.text('The version in force as it was written, YAML or JSON') },
  RuleView,
) {}

export class ListedRuleView extends ObjectOf(
  { description: reply.text('What it does, from the comment that its document begins with; may be empty') },
  RuleView,
) {}

export class RuleList extends WholeListOf(ListedRuleView) {}

export class PutRule extends ObjectOf({
  name: reply.text(),
  version: reply.count('The version in force now'),
  warnings: reply.texts(WARNINGS),
}) {}

export class RuleVersionView extends ObjectOf({
  version: reply.count(),
  createdAt: reply.instant(),
  inForce: reply.flag('Whether it is the version in force'),
  document: reply.text('As it was written'),
}) {}

export class RuleVersionList extends ObjectOf({
  items: reply.listOf(RuleVersionView),
  after: reply.text('What to send as `after` for the next page').nullable(),
}) {}

export class DocumentProblem extends ObjectOf({
  line: reply.count(),
  column: reply.count(),
  message: reply.text(),
}) {}

export class RuleCheck extends ObjectOf({
  valid: reply.flag(),
  name: reply.text('As far as it can be read').nullable(),
  event: reply.text('As far as it can be read').nullable(),
  problems: reply.listOf(DocumentProblem, "In the document's order; empty when it is valid"),
  warnings: reply.texts(WARNINGS),
}) {}

class RuleTemplateView extends ObjectOf({
  name: reply.text('The name that stands in its document'),
  event: reply.other<string | null>(
    { type: String, nullable: true, enum: [...EVENT_TYPES, null] },
    'The event it acts on',
  ),
  description: reply.text('What it does, and what it needs'),
}) {}

export class RuleTemplateDetail extends ObjectOf(
  { document: reply.text('A rule as it can be put, YAML or JSON') },
  RuleTemplateView,
) {}

export class RuleTemplateList extends WholeListOf(RuleTemplateView) {}
