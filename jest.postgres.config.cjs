// The suite on a PostgreSQL server, and the specs that only make sense there.
if (!process.env.TEST_DATABASE_URL) {
  throw new Error(
    'TEST_DATABASE_URL must name a PostgreSQL database, for example postgresql://postgres@127.0.0.1/postgres',
  );
}

// What never opens a database is as true on one as on the other.
const WITHOUT_DATABASE = [
  '/src/(kernel|events|sources|rules|config)/',
  '/src/http/(filter|xml)/',
  '/src/finance/remote/client/',
  '/test/(architecture|bench|faulty-finance)/',
];

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  testPathIgnorePatterns: ['/node_modules/', ...WITHOUT_DATABASE],
};
