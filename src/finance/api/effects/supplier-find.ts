import { Problem } from '../../../kernel/problem';
import type { EffectDeclaration } from './declaration';
import { readRequired, readText } from './effect-input';
import { RecordMissing } from './record-missing';
import { bareDocument } from './tax-document';

/** Either of the two; the document decides where both are there. */
export interface SupplierInput {
  /** CPF, CNPJ or the document of another country, with or without punctuation. */
  document?: string;
  /** The exact name. */
  name?: string;
}

/** Finds a supplier. It changes nothing, and nothing has to be undone. */
export const supplierFind: EffectDeclaration<SupplierInput> = {
  personal: ['document', 'name'] satisfies (keyof SupplierInput)[],
};

/** Whom an effect asks for. */
export type WantedSupplier = { readonly document: string } | { readonly name: string };

/** @throws Problem */
export function readSupplier({ document, name }: SupplierInput): WantedSupplier {
  const number = readText("supplier's document", document);
  if (number !== undefined) return { document: bareDocument(number) };
  return { name: readRequired("supplier's name", name) };
}

/**
 * The only one of the suppliers that were found.
 * @param ids UUIDs
 * @returns the problem where there is none, or more than one
 */
export function onlySupplier(ids: readonly string[], wanted: WantedSupplier): string | Problem {
  const by = 'document' in wanted ? 'document' : 'name';
  const [id, ...others] = ids;
  if (id === undefined)
    return new RecordMissing(
      `there is no supplier with this ${by}: register the supplier, then have the delivery worked on again`,
    );
  if (others.length === 0) return id;
  return new Problem('conflict', `there is more than one supplier with this ${by}`);
}
