import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined } from 'class-validator';
import { Refusal, setReader } from '../../http/field';
import { TaxId, TaxIdError, type TaxIdType } from '../../kernel/tax-id';

/** A CPF or CNPJ as text with or without punctuation, read into its bare form; `only` takes one of the two. */
export function IsTaxIdText(only?: TaxIdType): PropertyDecorator {
  return applyDecorators(
    IsDefined({ message: 'is required' }),
    ApiProperty({ type: String, description: only?.toUpperCase() ?? 'CPF or CNPJ' }),
    setReader((value) => {
      if (typeof value !== 'string') return new Refusal('text', 'must be text');
      return value.trim() === '' ? null : readTaxId(value, only);
    }),
  );
}

function readTaxId(text: string, only: TaxIdType | undefined): string | Refusal {
  try {
    const { number, type } = TaxId.parse(text);
    return only === undefined || type === only
      ? number
      : new Refusal('tax-id', `must be a ${only.toUpperCase()}`);
  } catch (error) {
    if (error instanceof TaxIdError) return new Refusal('tax-id', `is ${error.message}`);
    throw error;
  }
}
