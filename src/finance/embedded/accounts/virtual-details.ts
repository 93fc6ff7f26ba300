import type { VirtualAccountDetailsShape } from '../../api/shapes/accounts.dto';

/** JSON as it is stored: no nulls, no undefined. */
export interface Details {
  [name: string]: Details | string | number | boolean;
}

/**
 * A virtual account's details with what a request brings: a field that is left out keeps its value, null clears
 * it, and so on within. Whether the address is valid is for the service to say.
 */
export function virtualDetails(kept: unknown, brought: VirtualAccountDetailsShape): Details {
  const details = merged(isDetails(kept) ? kept : {}, brought);
  const { address } = details;
  if (isDetails(address)) address['isValid'] = isComplete(address);
  return details;
}

function isComplete(address: Details): boolean {
  return ['address', 'city', 'state', 'cep'].every((part) => address[part] !== undefined);
}

function merged(kept: Details, brought: object): Details {
  const result = { ...kept };
  for (const [name, value] of Object.entries(brought) as [string, unknown][]) {
    if (value === undefined) continue;
    const before = result[name];
    if (value === null) delete result[name];
    else if (typeof value === 'object') result[name] = merged(isDetails(before) ? before : {}, value);
    else result[name] = value as string | number | boolean;
  }
  return result;
}

function isDetails(value: unknown): value is Details {
  return typeof value === 'object' && value !== null;
}
