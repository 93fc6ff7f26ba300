import { ObjectOf, reply } from '../fields';

/** What was made, by its identifier. */
export class MadeView extends ObjectOf({ id: reply.uuid() }) {}

/** What all simple records have. */
class RecordView extends ObjectOf({ id: reply.uuid(), deleted: reply.flag() }) {}

export class BankRecordView extends ObjectOf(
  {
    code: reply.text('Three digits (COMPE)'),
    name: reply.text(),
    color: reply.text('Such as #EC7000').nullable(),
  },
  RecordView,
) {}

export class CategoryGroupRecordView extends ObjectOf(
  { referenceCode: reply.text(), name: reply.text() },
  RecordView,
) {}

/** A category has what its group has, and more. */
export class CategoryRecordView extends ObjectOf(
  { type: reply.oneOf(['in', 'out']), groupId: reply.uuid() },
  CategoryGroupRecordView,
) {}

export class CostCenterRecordView extends ObjectOf(
  { externalCode: reply.text().nullable(), description: reply.text() },
  RecordView,
) {}
