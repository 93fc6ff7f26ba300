import { jsonBytes, SAMPLE_ORDER } from '../../../src/sources/samples';
import type { Sample } from '../../../src/sources/source';

const { number, total, name, document, email, instalments } = SAMPLE_ORDER;

export const ACME_SAMPLES: readonly Sample[] = [
  {
    name: 'sale-settled',
    topic: 'sale.settled',
    body: jsonBytes({
      sale_no: number,
      placed: '2026-11-20T12:12:41Z',
      settled: '2026-11-20T12:14:05Z',
      sum: total,
      money: 'BRL',
      parts: instalments,
      by: 'acme-pay',
      buyer: { no: 77, called: name, tax_no: document, mail: email },
      goods: [{ what: 'Cadeira Ipê', code: 'IPE-1', pieces: 1, each: total }],
    }),
  },
];
