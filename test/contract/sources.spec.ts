import { join } from 'node:path';
import { PROVIDERS } from '../../src/sources/registry';
import { conformsToContract } from '../support/provider-conformance';
import { FIXTURES } from '../support/source-cases';

// Every provider of the registry: a new one needs `test/fixtures/{id}/cases.json`, and no line here.
for (const provider of PROVIDERS) conformsToContract(provider, join(FIXTURES, provider.id));
