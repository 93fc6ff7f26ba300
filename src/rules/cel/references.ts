import type { Environment } from '@marcbachmann/cel-js';
import type { Reference } from '../../finance/api/effects/reference';

/**
 * An output of a step, not known before that step's effect is applied. An expression can hand it on, whole,
 * and do nothing else with it.
 */
export abstract class StepOutput {
  constructor(readonly reference: Reference) {}
}

class CustomerRef extends StepOutput {}
class ScheduleRef extends StepOutput {}
class ScheduleRefs extends StepOutput {}
class ReceiptRefs extends StepOutput {}
class PaymentRef extends StepOutput {}
class ReceiptRef extends StepOutput {}
class AccountRef extends StepOutput {}
class SupplierRef extends StepOutput {}

/** The kinds of outputs, each a CEL type of its own so that one cannot stand in for another. */
const OUTPUT_CLASSES = {
  CustomerRef,
  ScheduleRef,
  ScheduleRefs,
  ReceiptRefs,
  PaymentRef,
  ReceiptRef,
  AccountRef,
  SupplierRef,
} as const;

export type OutputType = keyof typeof OUTPUT_CLASSES;

export function stepOutput(type: OutputType, step: string, output: string): StepOutput {
  return new OUTPUT_CLASSES[type]({ $ref: `${step}.${output}` });
}

/** The reference of an output of one of the types; undefined: the value is none. */
export function referenceOf(value: unknown, types: readonly OutputType[]): Reference | undefined {
  const isOne = types.some((type) => value instanceof OUTPUT_CLASSES[type]);
  return isOne && value instanceof StepOutput ? value.reference : undefined;
}

export function registerOutputTypes(environment: Environment): void {
  for (const [name, ctor] of Object.entries(OUTPUT_CLASSES)) {
    environment.registerType(name, { ctor, fields: {} });
  }
}
