import { newId } from '../src/kernel/identifier';
import { openTestDatabase } from './support/database';
import { placesOf } from './support/find-text';

const NAME = 'Zé "das" Conceição';

describe('the search for a text in all of a database', () => {
  it.each([
    ['as text', { name: `of ${NAME}, and more` }, 'organization.name'],
    ['in other letters', { name: NAME.toUpperCase() }, 'organization.name'],
    ['as bytes of UTF-8', { fileDigest: Buffer.from(`\x00${NAME}\xff`) }, 'organization.file_digest'],
    ['as bytes of Latin-1', { fileDigest: Buffer.from(NAME, 'latin1') }, 'organization.file_digest'],
    [
      'as JSON within bytes',
      { fileDigest: Buffer.from('"Z\\u00e9 \\"das\\" Concei\\u00e7\\u00e3o"') },
      'organization.file_digest',
    ],
  ])('finds it %s, and nothing where it is not', async (_how, fields, place) => {
    const database = await openTestDatabase();
    try {
      const id = newId();
      const organization = { id, slug: 'company', name: 'A company', timeZone: 'UTC', currency: 'BRL' };
      await database.prisma.organization.create({ data: organization });
      expect(await placesOf(database, [NAME])).toEqual([]);
      await database.prisma.organization.update({ where: { id }, data: fields });
      expect(await placesOf(database, ['another', NAME])).toEqual([place]);
      expect(await placesOf(database, ['another'])).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it('finds it in JSON', async () => {
    const database = await openTestDatabase();
    try {
      const organizationId = newId();
      await database.prisma.organization.create({
        data: { id: organizationId, slug: 'company', name: 'A company', timeZone: 'UTC', currency: 'BRL' },
      });
      await database.prisma.stakeholder.create({
        data: {
          ...{ id: newId(), organizationId, kind: 'customer', name: 'x' },
          details: { address: { line1: NAME } },
        },
      });
      expect(await placesOf(database, [NAME])).toEqual(['stakeholder.details']);
    } finally {
      await database.close();
    }
  });
});
