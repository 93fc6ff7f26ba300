import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { OperationId } from '../../finance/api/operations/operations';
import type { DocumentKey } from '../../kernel/document-key';
import type { Organization } from '../../kernel/organization';
import type { OutputType } from '../cel/references';
import type { InputFields, ValuesOf } from './input-types';

/** What an action may know of the event it acts for. */
export interface ActionContext {
  readonly organization: Organization;
  /** By which documents are named in business keys. */
  readonly documentKey: DocumentKey;
  /** The step's `key` as the rule gave it; empty when it gave none, which only an optional key allows. */
  readonly key: string;
  /** Business key of the event's customer; absent: the event is about none. */
  readonly customerKey?: string | undefined;
}

/** The effects, in order, or one sentence why there are none. */
export type ActionPlan =
  | {
      readonly effects: readonly PlannedEffect[];
      /** Codes of attention that is taken off the list of what the event is about. Absent: none is. */
      readonly resolves?: readonly string[];
    }
  | {
      readonly refused: string;
      /** What stands in their place where nothing has to be made any more, because the order is booked already. */
      readonly ifBooked?: readonly PlannedEffect[];
    };

export interface OutputField {
  readonly type: OutputType;
  readonly description: string;
}

/** The inputs that a step gives, by name: as they are written, or undefined where one is a list or a map. */
export type GivenInputs = ReadonlyMap<string, string | undefined>;

/** Why inputs of one step cannot go together. */
export interface Contradiction {
  /** The input that the sentence is about; absent: none that is given. */
  readonly input?: string;
  /** One sentence. */
  readonly message: string;
}

export interface ActionDefinition<F extends InputFields> {
  /** As rules write it after `do:`. */
  readonly name: string;
  readonly description: string;
  /** How what it did is taken back, as the end of a sentence. */
  readonly undo: string;
  /** What it asks of a finance service elsewhere, reads included; Ponte's own books do the same in one transaction. */
  readonly asks: readonly OperationId[];
  readonly input: F;
  /** What later steps can use, by the names that the applied effect gives it. */
  readonly output: Readonly<Record<string, OutputField>>;
  readonly key: { readonly required: boolean; readonly description: string };
  /**
   * That it looks for a record that may be missing, so that its step can say `ifMissing`; `canWait`: of a record that an
   * effect of Ponte makes. Absent: it looks for none.
   */
  readonly finds?: { readonly canWait: boolean };
  /** That it tells somebody and does nothing about money: a rule of such steps alone leaves an event as unbooked as it was. */
  readonly onlyTells?: true;
  /** What can never be planned, whatever the event is. Absent: nothing that its inputs do not say themselves. */
  contradiction?(given: GivenInputs): Contradiction | undefined;
  /** Pure: turns checked inputs into effects as data. Nothing is done here. */
  plan(input: ValuesOf<F>, context: ActionContext): ActionPlan;
}

/** An action of any input: what the rest of the rules deals with. */
export type Action = Omit<ActionDefinition<InputFields>, 'plan'> & {
  plan(input: Readonly<Record<string, unknown>>, context: ActionContext): ActionPlan;
};

/** Declares an action; the types of its `plan` follow from its `input`. */
export function defineAction<F extends InputFields>(definition: ActionDefinition<F>): Action {
  return {
    ...definition,
    plan: (input, context) => definition.plan(input as ValuesOf<F>, context),
  };
}
