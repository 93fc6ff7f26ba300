import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, ValidateBy, type ValidationArguments } from 'class-validator';
import { Refusal, setNamesRecord, setReader } from '../../../http/field';
import { IsText } from '../../../http/validation';
import { TaxId, TaxIdError, type TaxIdType } from '../../../kernel/tax-id';
import { CEP, isBrazil } from './brazil';

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

/** A postcode, kept as it was sent. Next to a `country` that is Brazil, or absent, it must be a Brazilian one. */
export function IsZipCodeText(): PropertyDecorator {
  return applyDecorators(
    IsText(),
    ApiProperty({ description: 'In Brazil: eight digits, with or without the hyphen' }),
    ValidateBy({
      name: 'zip-code',
      validator: {
        validate: (value: string, args?: ValidationArguments) =>
          CEP.form.test(value) || !isBrazil((args?.object as { country?: string | null }).country),
        defaultMessage: () => CEP.message,
      },
    }),
  );
}

/** A bank by its name or its code; what is nothing but digits is a code, and those have three (COMPE). */
export function IsBankText(): PropertyDecorator {
  return IsText({ pattern: { form: /^\d{3}$|\D/, message: 'must be three digits, or a name' } });
}

/** Says of an identifier in a body that it must be the one in the path, where it is there. */
export function OfPath(): PropertyDecorator {
  return applyDecorators(setNamesRecord(), ApiProperty({ description: "Must be the path's" }));
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
