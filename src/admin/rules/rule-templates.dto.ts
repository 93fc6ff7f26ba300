import { EVENT_TYPES } from '../../events/event';
import { ObjectOf, reply } from '../fields';
import { WholeListOf } from '../lists.dto';

export class RuleTemplateView extends ObjectOf({
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
