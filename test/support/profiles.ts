import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATORS_KEY, type TestService } from './service';

const PROFILES = join(__dirname, '../../config/profiles');

export const PROFILE_NAMES = ['cash', 'accrual'] as const;

export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Gives the organization `main` the rules of a profile, beside those that all have. */
export async function putProfile(service: TestService, profile: ProfileName): Promise<void> {
  for (const file of readdirSync(join(PROFILES, profile))) {
    const reply = await service.http
      .put(`/admin/organizations/main/rules/${file.replace('.yaml', '')}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(readFileSync(join(PROFILES, profile, file), 'utf8'));
    if (reply.status >= 300) throw new Error(reply.text);
  }
}
