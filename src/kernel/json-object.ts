import { type ExactJson, isLosslessNumber, type LosslessJson } from './lossless-json';

/** A JSON object whose members are still lossless. */
export type JsonObject = { [key: string]: LosslessJson };

/** Whether a value is an object with members: no list, no null, no number with all its digits. */
export function isObject(value: LosslessJson | undefined): value is JsonObject;
export function isObject(value: ExactJson | undefined): value is { [key: string]: ExactJson };
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
