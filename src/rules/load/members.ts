import { meantOr, nearestName } from '../../kernel/nearest';
import type { DocumentNode, ListNode, MapNode, Member, TextNode } from '../document/yaml-nodes';
import type { Problems } from '../document/problems';

/**
 * Reads members of a map of known shape, and says what is missing, unknown or of the wrong kind. Every method
 * returns undefined where there is nothing to go on with; the problem is noted then.
 */
export class Members {
  constructor(
    /** What the map is, for messages: `the rule`, `step "customer"`. */
    private readonly what: string,
    private readonly map: MapNode,
    known: readonly string[],
    private readonly problems: Problems,
  ) {
    for (const [name, { key }] of map.members) {
      if (known.includes(name) || problems.isFull) continue;
      const nearest = nearestName(name, known);
      problems.add(key.offset, `${what} has no member "${name}"${meantOr(nearest, known)}`, nearest);
    }
  }

  get(name: string): Member | undefined {
    return this.map.members.get(name);
  }

  /** A member that must be there. */
  need(name: string): Member | undefined {
    const member = this.get(name);
    if (member === undefined) this.problems.add(this.map.offset, `${this.what} needs a member "${name}"`);
    return member;
  }

  /** A text that must be there and not empty. */
  text(name: string): TextNode | undefined {
    const member = this.need(name);
    return member && asText(`"${name}"`, member.value, this.problems);
  }
}

export function asText(what: string, node: DocumentNode, problems: Problems): TextNode | undefined {
  if (node.kind === 'text' && node.value !== '') return node;
  problems.add(
    node.offset,
    node.kind === 'text' ? `${what} is empty` : `${what} must be text, not a ${node.kind}`,
  );
  return undefined;
}

export function asMap(what: string, node: DocumentNode, problems: Problems): MapNode | undefined {
  if (node.kind === 'map') return node;
  problems.add(node.offset, `${what} must be a map of names and values`);
  return undefined;
}

export function asList(what: string, node: DocumentNode, problems: Problems): ListNode | undefined {
  if (node.kind === 'list') return node;
  problems.add(node.offset, `${what} must be a list`);
  return undefined;
}
