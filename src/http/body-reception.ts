import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { remoteNetworkOf } from './remote-network';

/** Largest body taken, in bytes. */
export const BODY_LIMIT = 1024 * 1024;
/** What of bodies that are still being received may be in memory, in bytes, of all connections together. */
export const RECEIVING_LIMIT = 48 * 1024 * 1024;
/** The same of one remote network. */
export const NETWORK_LIMIT = 12 * 1024 * 1024;
/** Bodies are given up down to this share of the limit, so that the next chunks do not exceed it at once. */
const FREED_SHARE = 7 / 8;
/** How often it is measured how fast bodies come, in milliseconds. */
const SWEEP_MS = 1_000;
/** From this many sweeps on a body must have come at this rate, in bytes for each sweep. */
const PATIENT_SWEEPS = 5;
const LEAST_BYTES = 4 * 1024;
/** A body that is announced as no longer than this, in bytes, only has to be whole after so many sweeps. */
const SMALL = 64 * 1024;
const SWEEPS_FOR_SMALL = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body is read and thrown away: whatever it is, the reply is settled. */
    discardsBody: boolean;
    /** What its body may be at most; null: {@link BODY_LIMIT}. */
    bodyMost: BodyMost | null;
  }
}

/** A limit for the body of one request. */
export interface BodyMost {
  readonly bytes: number;
  /** Refuses a body that is larger, when that is found out. */
  readonly refusal: () => Error;
}

type Done = (error: Error | null, body?: Buffer) => void;

interface Incoming {
  readonly network: string;
  readonly startedAt: number;
  /** Sweeps since then: while the process does not get to read, there are none. */
  sweeps: number;
  length: number;
  readonly isSmall: boolean;
  readonly chunks: Buffer[];
  readonly discards: boolean;
  readonly most: BodyMost;
  readonly end: (error: Error | null, body?: Buffer) => void;
}

/**
 * Reads bodies as they come. Fastify's own reading bounds each body but not all of them together: with many slow or
 * large senders at once that is all the memory there is. When the limit is reached, of all or of one remote network,
 * the bodies with the most bytes for the longest time are given up, so that a newcomer who sends at once is served.
 */
export class BodyReception {
  private readonly incoming = new Set<Incoming>();
  private readonly networks = new Map<string, number>();
  private bytes = 0;
  private sweeping?: NodeJS.Timeout;

  receive(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
    if (Number(request.headers['content-length']) > BODY_LIMIT) return done(tooLarge());
    const one: Incoming = {
      network: remoteNetworkOf(request),
      startedAt: performance.now(),
      sweeps: 0,
      length: 0,
      isSmall: Number(request.headers['content-length']) <= SMALL,
      chunks: [],
      discards: request.discardsBody,
      most: request.bodyMost ?? { bytes: BODY_LIMIT, refusal: tooLarge },
      end: (error, body) => {
        payload.off('data', take).off('end', finish).off('error', one.end);
        this.leave(one);
        done(error, body);
      },
    };
    const take = (chunk: Buffer): void => this.take(one, chunk);
    const finish = (): void => one.end(null, whole(one.chunks));
    this.enter(one);
    payload.on('data', take).on('end', finish).on('error', one.end);
  }

  private enter(one: Incoming): void {
    this.incoming.add(one);
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  private leave(one: Incoming): void {
    if (this.incoming.delete(one)) this.count(one, -one.length);
  }

  private take(one: Incoming, chunk: Buffer): void {
    one.length += chunk.length;
    // What is thrown away counts all the same: who is given up, and when, does not distinguish it from what is kept.
    this.count(one, chunk.length);
    if (!one.discards) one.chunks.push(chunk);
    if (one.length > one.most.bytes) return one.end(one.most.refusal());
    if (this.ofNetwork(one.network) > NETWORK_LIMIT)
      this.freeMemory(
        [...this.incoming].filter(({ network }) => network === one.network),
        () => this.ofNetwork(one.network) <= NETWORK_LIMIT * FREED_SHARE,
      );
    if (this.bytes > RECEIVING_LIMIT)
      this.freeMemory([...this.incoming], () => this.bytes <= RECEIVING_LIMIT * FREED_SHARE);
  }

  /** Gives up those with the most bytes times milliseconds, until `isEnough`. */
  private freeMemory(candidates: Incoming[], isEnough: () => boolean): void {
    const now = performance.now();
    const occupied = ({ length, startedAt }: Incoming): number => length * (now - startedAt + 1);
    candidates.sort((one, other) => occupied(other) - occupied(one));
    for (const candidate of candidates) {
      if (isEnough()) return;
      candidate.end(tooMany());
    }
  }

  private sweep(): void {
    // Here and not with the last body: most come whole at once, and would each make a timer and clear it.
    if (this.incoming.size === 0) {
      clearInterval(this.sweeping);
      delete this.sweeping;
    }
    for (const one of this.incoming) {
      one.sweeps += 1;
      if (isTooSlow(one)) one.end(tooSlow());
    }
  }

  private ofNetwork(network: string): number {
    return this.networks.get(network) ?? 0;
  }

  private count({ network }: Incoming, bytes: number): void {
    this.bytes += bytes;
    const total = this.ofNetwork(network) + bytes;
    if (total > 0) this.networks.set(network, total);
    else this.networks.delete(network);
  }
}

function isTooSlow({ isSmall, sweeps, length }: Incoming): boolean {
  return isSmall ? sweeps >= SWEEPS_FOR_SMALL : sweeps >= PATIENT_SWEEPS && length < sweeps * LEAST_BYTES;
}

function whole(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

function tooLarge(): Problem {
  return new Problem('body-too-large', 'The body is larger than 1 MiB');
}

function tooMany(): Problem {
  return new Problem('saturated', 'Too many bodies are being received', { retryAfterSeconds: 1 });
}

function tooSlow(): Problem {
  return new Problem('body-too-slow', 'The body came too slowly; send it again');
}
