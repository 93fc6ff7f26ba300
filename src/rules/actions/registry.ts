import type { Action } from './action';
import { accountEnsure } from './account-ensure';
import { attentionRaise } from './attention-raise';
import { attentionResolve } from './attention-resolve';
import { costCenterUpdate } from './cost-center-update';
import { creditScheduleEnsure } from './credit-schedule-ensure';
import { creditScheduleFind } from './credit-schedule-find';
import { creditScheduleWriteOff } from './credit-schedule-write-off';
import { customerEnsure } from './customer-ensure';
import { httpNotify } from './http-notify';
import type { InputField, InputFields } from './input-types';
import { paymentRegister, receiptRegisterDirectly } from './direct-registration';
import { paymentDelete } from './payment-delete';
import { receiptRegister } from './receipt-register';
import { receiptSettle } from './receipt-settle';
import { supplierFind } from './supplier-find';
import { transferMake } from './transfer-make';

/** Every action that rules can name after `do:`. A new one is a file beside these and a line here. */
const ACTIONS: readonly Action[] = [
  customerEnsure,
  creditScheduleEnsure,
  creditScheduleFind,
  receiptRegister,
  receiptSettle,
  paymentRegister,
  receiptRegisterDirectly,
  transferMake,
  creditScheduleWriteOff,
  accountEnsure,
  supplierFind,
  costCenterUpdate,
  paymentDelete,
  attentionRaise,
  attentionResolve,
  httpNotify,
];

export const ACTION_NAMES: readonly string[] = ACTIONS.map(({ name }) => name);

/** Actions whose steps can say `ifMissing`. */
export const FINDING_ACTIONS: readonly string[] = ACTIONS.filter(({ finds }) => finds).map(
  ({ name }) => name,
);

export function findAction(name: string): Action | undefined {
  return ACTIONS.find((action) => action.name === name);
}

/** An action as data, for people and for editors of rules. */
export interface ActionDescription {
  name: string;
  description: string;
  /** How what it did is taken back. */
  undo: string;
  /** Operations of the finance interface that it asks a service elsewhere. */
  asks: string[];
  key: { required: boolean; description: string };
  input: InputDescription[];
  output: { name: string; type: string; description: string }[];
}

export interface InputDescription {
  name: string;
  /** `string`, `Money`, `Date`, `Address`, `list<Instalment>`, a step's output, or the words to choose from. */
  type: string;
  required: boolean;
  description: string;
  /** For what can be written out: the fields of an object, or of a list's elements. */
  fields?: InputDescription[];
}

/** Every action with its typed inputs and outputs. */
export function describeActions(): ActionDescription[] {
  return ACTIONS.map(({ name, description, undo, asks, key, input, output }) => ({
    name,
    description,
    undo,
    asks: [...asks],
    key: { ...key },
    input: describeFields(input),
    output: Object.entries(output).map(([field, of]) => ({ name: field, ...of })),
  }));
}

function describeFields(fields: InputFields): InputDescription[] {
  return Object.entries(fields).map(([name, field]) => describeField(name, field));
}

function describeField(name: string, { type, required, description }: InputField): InputDescription {
  const fields = type.fields ?? type.item?.fields;
  return { name, type: type.name, required, description, ...(fields && { fields: describeFields(fields) }) };
}
