import { ObjectOf, reply, request } from '../fields';
import { WholeListOf } from '../lists.dto';
import { MaybeReasonBody } from '../reasons.dto';

/** An address to which rules may send messages. */
export class NewEndpointBody extends ObjectOf(
  {
    /** As rules name it: lower-case letters, digits, hyphens. */
    name: request.text({ max: 63 }),
    /** https, without user or fragment. */
    url: request.text({ max: 2_000 }),
    /** `whsec_` and base64 of 24 to 64 bytes; left out: one is made. */
    secret: request.text({ max: 200 }).optional(),
  },
  MaybeReasonBody,
) {}

export class NewEndpointSecretBody extends ObjectOf(
  {
    /** `whsec_` and base64 of 24 to 64 bytes; left out: one is made. */
    secret: request.text({ max: 200 }).optional(),
  },
  MaybeReasonBody,
) {}

export class EndpointView extends ObjectOf({
  name: reply.text('As rules name it'),
  url: reply.text(),
  secretCount: reply.number('Each message is signed with all of them'),
  createdAt: reply.instant(),
}) {}

export class EndpointList extends WholeListOf(EndpointView) {}

export class MadeEndpointView extends ObjectOf(
  {
    secret: reply
      .text('The secret that was made: this reply alone shows it; null where it was given')
      .nullable(),
  },
  EndpointView,
) {}
