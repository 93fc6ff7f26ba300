import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { Problem } from '../../../kernel/problem';
import { keepAnswer, takeKey, type EarlierAnswer } from './idempotency.repository';
import { keyedRequest, type KeyedRequest } from '../../api/idempotency/keyed-request';

/**
 * Where the finance interface writes. Every operation that changes something does all of it in one call of
 * {@link transaction}, so that the answer to a repeated request can be committed with the change itself.
 */
@Injectable()
export class IdempotentTransaction {
  constructor(private readonly database: Database) {}

  /**
   * Does all of an operation's work, the reading that decides it included, in one transaction. What `work`
   * returns is what the operation answers: text, plain JSON data, or nothing. For a request with an
   * `Idempotency-Key` it is stored before the commit, and a repeated request gets it without `work` being run.
   * A refusal is thrown, never returned, so that nothing is committed and the key stays free.
   * @throws Problem `idempotency-key-in-use`, `idempotency-key-reused`
   * @throws Error at a second call in one request with a key
   * @see Database.transaction
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const request = keyedRequest();
    return request ? this.once(request, work) : this.database.transaction(work);
  }

  private async once<T>(request: KeyedRequest, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (request.state !== 'fresh') throw new Error('a request with a key writes in one transaction');
    request.state = 'begun';
    const { state, result } = await this.database.transaction(async (tx) => {
      const earlier = await takeKey(tx, request);
      if (earlier) return { state: 'replayed', result: answerOf(request, earlier) as T } as const;
      const result = await work(tx);
      if (result !== undefined) await keepAnswer(tx, request, jsonOf(result));
      return { state: 'written', result } as const;
    });
    request.state = state;
    return result;
  }
}

function answerOf({ digest }: KeyedRequest, earlier: 'in-use' | EarlierAnswer): unknown {
  if (earlier === 'in-use')
    throw new Problem('idempotency-key-in-use', 'A request with this Idempotency-Key is still under way', {
      retryAfterSeconds: 1,
    });
  if (!digest.equals(earlier.request))
    throw new Problem('idempotency-key-reused', 'This Idempotency-Key was used for another request');
  return earlier.result ?? undefined;
}

/** @throws Error when the answer would come back as something else */
function jsonOf(result: unknown): object | string {
  const stored: unknown = JSON.parse(JSON.stringify(result));
  if (isAnswer(stored) && isDeepStrictEqual(stored, result)) return stored;
  throw new Error('what is answered to a request with a key must be text or plain JSON data');
}

function isAnswer(value: unknown): value is object | string {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
