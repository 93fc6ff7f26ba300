import { MOST_PROBLEMS } from '../../deliveries/import/imports';
import { ObjectOf, reply } from '../fields';

export class ImportProblemView extends ObjectOf({
  line: reply.count('Its number'),
  reason: reply.text('Why it was refused, without anything of what it holds'),
}) {}

/** What came of the lines of an import. */
export class ImportView extends ObjectOf({
  lines: reply.integer('Lines that hold something; each is stored, a duplicate or refused'),
  stored: reply.integer('Lines that became deliveries'),
  duplicates: reply.integer('Lines that were known before, as a webhook or from another import'),
  refused: reply.integer('Lines of which nothing was stored'),
  ignored: reply.integer('Of those stored and of the duplicates: Ponte makes nothing of them'),
  problems: reply.listOf(ImportProblemView, `The first ${MOST_PROBLEMS} lines that were refused`),
}) {}
