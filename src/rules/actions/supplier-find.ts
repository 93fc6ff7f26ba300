import { hash } from 'node:crypto';
import { bareDocument } from '../../finance/api/effects/tax-document';
import { defineAction } from './action';
import { optional, text } from './input-types';

export const supplierFind = defineAction({
  name: 'supplier.find',
  description:
    'Finds the supplier with a document, or else with exactly a name. One that is not there refuses the step.',
  undo: 'it changes nothing',
  asks: ['suppliers.list'],
  input: {
    document: optional(text, 'CPF or CNPJ, with or without punctuation; it decides where both are given'),
    name: optional(text, 'the exact name'),
  },
  finds: { canWait: false },
  output: { id: { type: 'SupplierRef', description: 'the supplier' } },
  key: { required: false, description: "the supplier's business key; absent: the document, else the name" },
  contradiction: (given) =>
    given.has('document') || given.has('name')
      ? undefined
      : { message: 'a supplier is found by the input "document" or "name", and neither is given' },
  plan({ document, name }, { organization, key }) {
    if (document === undefined && name === undefined)
      return { refused: 'a supplier is found by the input "document" or "name", and both are empty' };
    const wanted = document === undefined ? `name/${name}` : `document/${bareDocument(document)}`;
    // The digest covers the organization as well, so that keys of two organizations cannot be matched.
    const digest = hash('sha256', `${organization.id}/${wanted}`, 'hex');
    return {
      effects: [
        {
          key: key === '' ? `supplier/${digest}` : `supplier/key/${key}`,
          operation: 'supplier.find',
          input: document === undefined ? { name } : { document },
        },
      ],
    };
  },
});
