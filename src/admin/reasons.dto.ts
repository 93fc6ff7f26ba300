import { ObjectOf, request } from './fields';

/** Why an operator does it. */
export class ReasonBody extends ObjectOf({ reason: request.text() }) {}

/** Why an operator does it, if they say so. */
export class MaybeReasonBody extends ObjectOf({ reason: request.reason() }) {}
