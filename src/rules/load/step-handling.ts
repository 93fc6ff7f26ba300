import { didYouMean, nearestName } from '../../kernel/nearest';
import type { Action } from '../actions/action';
import { FINDING_ACTIONS } from '../actions/registry';
import type { StepHandling } from '../compiled-rule';
import type { Problems } from '../document/problems';
import { asText, type Members } from './members';

/** Reads what a step says of how it is carried out: `ifMissing`, `onRefused`, `approval`. */
export class StepHandlingReader {
  constructor(
    private readonly members: Members,
    private readonly problems: Problems,
  ) {}

  /** @param action undefined where the step names none that there is */
  read(action: Action | undefined): StepHandling {
    const ifMissing = this.word('ifMissing', ['refuse', 'skip', 'wait']);
    const onRefused = this.word('onRefused', ['stop', 'continue']);
    const approval = this.word('approval', ['required']);
    const member = this.members.get('ifMissing');
    if (member && action && !action.finds) {
      const message = `${action.name} does not look for a record; "ifMissing" is for ${FINDING_ACTIONS.join(', ')}`;
      this.problems.add(member.key.offset, message);
    }
    if (member && ifMissing === 'wait' && action?.finds?.canWait === false) {
      const message = `nothing that Ponte does makes what ${action.name} looks for, so it cannot be waited for; "ifMissing" takes refuse or skip here`;
      this.problems.add(member.value.offset, message);
    }
    const approved = this.members.get('approval');
    if (approved && action?.finds) {
      const message = `${action.name} changes nothing, so there is nothing to approve; say it on the step that uses what it finds`;
      this.problems.add(approved.key.offset, message);
    }
    return {
      ...(ifMissing && ifMissing !== 'refuse' && { ifMissing }),
      ...(onRefused === 'continue' && { onRefused }),
      ...(approval && { approval }),
    };
  }

  private word<const W extends string>(name: string, words: readonly W[]): W | undefined {
    const member = this.members.get(name);
    const node = member && asText(`"${name}"`, member.value, this.problems);
    if (node === undefined) return undefined;
    const word = words.find((candidate) => candidate === node.value);
    if (word !== undefined) return word;
    const nearest = nearestName(node.value, words);
    const message = `"${name}" takes ${words.join(' or ')}, not "${node.value}"${didYouMean(nearest)}`;
    this.problems.add(node.offset, message, nearest);
    return undefined;
  }
}
