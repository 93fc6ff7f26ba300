/**
 * A rule cannot go on for this event. Thrown inside an evaluation only, where it becomes a refusal with this
 * reason; the message is a sentence for a person and holds no personal data.
 */
export class RuleRefusal extends Error {
  override readonly name = 'RuleRefusal';
}
