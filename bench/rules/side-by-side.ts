import { readFileSync } from 'node:fs';
import { compiled, CONTEXT, paidOrder } from '../../src/rules/fixtures';
import { planRule } from '../../src/rules/plan-rule';
import { alternate, median } from '../frame/statistics';
import { bareCel } from './bare-cel';
import { bareCelOfNumbers, jsonataRule, jsonRulesEngineRule } from './engines';
import { processorTime } from './processor-time';

const RULE = 'config/profiles/cash/order-paid.yaml';
const ROUNDS = 6;
const ROUND_MS = 300;
const CALLS = 100;

/** A contender's rule, applied to one order once. */
type Contender = () => unknown;

/** Calls a second. An asynchronous engine is awaited, as everybody who uses it has to. */
async function rate(contender: Contender): Promise<number> {
  const start = processorTime();
  let [calls, elapsed] = [0, 0];
  while (elapsed < ROUND_MS) {
    for (let index = 0; index < CALLS; index += 1) {
      const result = contender();
      if (result instanceof Promise) await result;
    }
    calls += CALLS;
    elapsed = processorTime() - start;
  }
  return (calls / elapsed) * 1_000;
}

export type Engine = keyof typeof CONTENDERS;

const CONTENDERS = {
  ponte,
  'bare CEL library': () => bareCel(RULE),
  'bare CEL library, amounts as numbers': bareCelOfNumbers,
  JSONata: jsonataRule,
  'json-rules-engine': jsonRulesEngineRule,
} as const;

const ENGINES = Object.keys(CONTENDERS) as Engine[];

function ponte(): Contender {
  const rule = compiled(readFileSync(RULE, 'utf8'));
  const event = paidOrder();
  // A new event each time: nothing that was read of it before is found again.
  return () => {
    const outcome = planRule(rule, { ...event }, CONTEXT);
    return 'plan' in outcome ? outcome.plan : undefined;
  };
}

/**
 * The rule order-paid on a paid order in four engines, in turns within one run.
 * @returns how often a second of processor time each applies it, the median of its rounds
 * @throws Error when one of them makes nothing of the order
 */
export async function sideBySide(): Promise<Record<Engine, number>> {
  const contenders = ENGINES.map((engine) => [engine, CONTENDERS[engine]()] as const);
  for (const [engine, contender] of contenders) {
    const result: unknown = await contender();
    if (result === undefined || (Array.isArray(result) && result.length === 0))
      throw new Error(`${engine} makes nothing of the order`);
  }
  const turns = contenders.map(([engine, contender]) => [engine, () => rate(contender)] as const);
  const rates = await alternate(
    ROUNDS + 1,
    Object.fromEntries(turns) as Record<Engine, () => Promise<number>>,
  );
  // The first round is for the compiler.
  const medians = ENGINES.map((engine) => [engine, median(rates[engine].slice(1))] as const);
  return Object.fromEntries(medians) as Record<Engine, number>;
}
