/** What a PostgreSQL server that answers may lack, by the SQLSTATE with which it refuses a statement. */
const SHORTAGES: Readonly<Record<string, string>> = {
  '53100': "the disk of the database's server is full",
  '53200': "the database's server has no memory left",
  '58030': "the database's server cannot read or write its files",
};

/** @returns what the server lacks, for operators; undefined: the code says something else */
export function shortageOf(code: string | undefined): string | undefined {
  return code === undefined ? undefined : SHORTAGES[code];
}
