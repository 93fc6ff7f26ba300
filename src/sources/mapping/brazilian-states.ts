/** Brazil's states as shops spell them, without accents and in lower case. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['acre', 'AC'],
  ['alagoas', 'AL'],
  ['amapa', 'AP'],
  ['amazonas', 'AM'],
  ['bahia', 'BA'],
  ['ceara', 'CE'],
  ['distrito federal', 'DF'],
  ['espirito santo', 'ES'],
  ['goias', 'GO'],
  ['maranhao', 'MA'],
  ['mato grosso', 'MT'],
  ['mato grosso do sul', 'MS'],
  ['minas gerais', 'MG'],
  ['para', 'PA'],
  ['paraiba', 'PB'],
  ['parana', 'PR'],
  ['pernambuco', 'PE'],
  ['piaui', 'PI'],
  ['rio de janeiro', 'RJ'],
  ['rio grande do norte', 'RN'],
  ['rio grande do sul', 'RS'],
  ['rondonia', 'RO'],
  ['roraima', 'RR'],
  ['santa catarina', 'SC'],
  ['sao paulo', 'SP'],
  ['sergipe', 'SE'],
  ['tocantins', 'TO'],
]);

const LONGEST_STATE = 40;

/** As ISO 3166-2 has the states of Brazil. */
const ISO_STATE = /^br-([a-z]{2})$/i;

/** The two letters of a state of Brazil; another country's, or one that nobody knows, as the shop has it. */
export function stateOf(name: string | undefined, country: string | undefined): string | undefined {
  if (name === undefined || country !== 'BR' || name.length > LONGEST_STATE) return name;
  const code = ISO_STATE.exec(name)?.[1];
  if (code !== undefined) return code.toUpperCase();
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return STATES.get(plain) ?? name;
}

/** `BR` for Brazil as Brazilian systems write it, in Portuguese or English; another country as it is. */
export function countryCodeOf(name: string | undefined): string | undefined {
  return name !== undefined && /^bra[sz]il$/i.test(name) ? 'BR' : name;
}
