import { neededFolders } from '../../bench/frame/installed';

describe('the folders of a production install', () => {
  it('are those of packages that neither development nor options ask for', () => {
    const packages = {
      '': {},
      'node_modules/pg': {},
      'node_modules/jest': { dev: true },
      'node_modules/prisma': { devOptional: true },
      'node_modules/pg/node_modules/pg-native': { optional: true },
    };
    expect(neededFolders(packages)).toEqual(['node_modules/pg']);
  });
});
