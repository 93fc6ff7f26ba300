// The contract of the finance interface, asked of a Ponte that keeps no books itself and has another Ponte behind it.
if (!['json', 'xml'].includes(process.env.FINANCE_LOOP)) {
  throw new Error('FINANCE_LOOP must say in which form the two speak to each other: json or xml');
}

/** What is not about the interface, and why. */
const NOT_THE_INTERFACE = [
  // Breaks the ledger's own transaction: what became of a write is known behind the front, and not before it.
  '/broken-transaction\\.spec\\.ts$',
  // Reads a page of the documentation and asks nobody.
  '/errors-page\\.spec\\.ts$',
  // Bring services of their own for a front to stand before.
  '/remote-[a-z]+\\.spec\\.ts$',
  // Needs a PostgreSQL server, and takes a key in the table where Ponte's own books keep them.
  '\\.postgres\\.spec\\.ts$',
];

/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.cjs'),
  roots: ['<rootDir>/test/contract'],
  testRegex: ['/contract/finance/.*\\.spec\\.ts$', '/contract/openapi\\.spec\\.ts$'],
  testPathIgnorePatterns: ['/node_modules/', ...NOT_THE_INTERFACE],
};
