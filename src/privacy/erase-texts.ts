import { isLosslessNumber, type LosslessJson } from '../kernel/lossless-json';
import { ERASED } from '../kernel/erased';
import { certainPattern, type Identifiers, uncertainPattern } from './identifiers';

/** Members of an object that is about a person. */
const PERSONAL = new Set([
  ...['email', 'phone', 'document', 'documentNumber', 'cpf', 'cnpj', 'cpfCnpj', 'address', 'communication'],
  ...['bankAccountInformation', 'companyInformation', 'contact'],
]);

/** Removes a person from what is stored. What is not about them stays as it is, to the digit. */
export class TextEraser {
  private readonly certain: RegExp | undefined;
  private readonly uncertain: RegExp | undefined;
  private readonly keys: ReadonlyMap<string, string>;

  /** @param keys business keys that are replaced by others, where one is the whole text */
  constructor(known: Identifiers, keys: Readonly<Record<string, string>> = {}) {
    const [certain, uncertain] = [certainPattern(known), uncertainPattern(known)];
    this.certain = certain === undefined ? undefined : new RegExp(certain, 'gi');
    this.uncertain = uncertain === undefined ? undefined : new RegExp(uncertain, 'giu');
    this.keys = new Map(Object.entries(keys));
  }

  /** Whether something names the person for certain. */
  names(text: string): boolean {
    return this.certain !== undefined && text.search(this.certain) >= 0;
  }

  /** @param isTheirs whether it belongs to a record of the person, so that their name means them */
  text(text: string, isTheirs: boolean): string {
    let left = this.keys.get(text) ?? text;
    if (this.certain) left = left.replace(this.certain, ERASED);
    return isTheirs && this.uncertain ? left.replace(this.uncertain, ERASED) : left;
  }

  /** @param missing how a member without a value is stored: `null`, or not at all */
  json(json: LosslessJson, isTheirs: boolean, missing: 'null' | 'absent'): LosslessJson {
    if (typeof json === 'string') return this.text(json, isTheirs);
    if (isLosslessNumber(json)) return this.names(json.toString()) ? null : json;
    if (json === null || typeof json !== 'object') return json;
    if (Array.isArray(json)) return json.map((item) => this.json(item, isTheirs, missing));
    const isPerson = this.isAbout(json, isTheirs);
    const members = Object.entries(json).flatMap(([name, value]): [string, LosslessJson][] => {
      if (isPerson && PERSONAL.has(name)) return missing === 'null' ? [[name, null]] : [];
      if (isPerson && name === 'name' && typeof value === 'string') return [[name, ERASED]];
      return [[this.text(name, false), this.json(value, isTheirs, missing)]];
    });
    return Object.fromEntries(members);
  }

  /** Whether an object has members about a person, and they are this one's: in rows of others only what is certain says so. */
  private isAbout(object: { [key: string]: LosslessJson }, isTheirs: boolean): boolean {
    const personal = Object.entries(object).filter(([name]) => PERSONAL.has(name));
    if (personal.length === 0) return false;
    const said = [...personal.map(([, value]) => value), object['name'] ?? null];
    return said.some((value) => this.mentions(value, isTheirs));
  }

  private mentions(json: LosslessJson, isTheirs: boolean): boolean {
    if (isLosslessNumber(json)) return this.names(json.toString());
    if (typeof json === 'string') return this.text(json, isTheirs) !== json;
    if (json === null || typeof json !== 'object') return false;
    return Object.values(json).some((value) => this.mentions(value, isTheirs));
  }
}
