import type { OpenAPIObject } from '@nestjs/swagger';
import type { Random } from '../../support/random';
import { DescribedRequests } from './described-requests';
import { eachOf, exchange, type Reply, type Request } from './exchange';
import { makeMeans } from './means';
import { makeMutants } from './mutants';
import { loose } from './poison';
import type { Target } from './target';
import { faultOf, report } from './verdict';
import { deliver, signed } from './webhooks';

/** How many faults are shown; the first is enough to begin with. */
const SHOWN = 20;
const CONNECTIONS = 8;
/** Of the answers, at least so many in a hundred must be successes: else only the refusals are tried. */
const LEAST_SUCCESSES = 15;

/** Signed bodies that no shop would send; each is answered below 500, and each delivery ends. */
export async function mutatedBodies(target: Target, count: number, random: Random): Promise<string[]> {
  const faults: string[] = [];
  await eachOf(makeMutants(count, random), CONNECTIONS, async (mutant) => {
    const request = signed(mutant);
    const fault = await faultyAnswer(target, request);
    if (fault !== undefined) faults.push(`${mutant.how}: ${fault}`);
  });
  return [...faults.slice(0, SHOWN), ...(await loose(target, 120_000))];
}

/** Requests made of the service's own description, with every key; no answer is a fault of the service. */
export async function describedRequests(target: Target, count: number, random: Random): Promise<string[]> {
  const { text } = await exchange(target.url, { method: 'GET', path: '/openapi.json' });
  const requests = new DescribedRequests(JSON.parse(text) as OpenAPIObject, await makeMeans(target), random);
  const faults: string[] = [];
  let successes = 0;
  await eachOf(
    Array.from({ length: count }, (_, index) => requests.request(index)),
    CONNECTIONS,
    async (request) => {
      const fault = await faultyAnswer(target, request, ({ status }) => {
        if (status >= 200 && status < 300) successes += 1;
      });
      if (fault !== undefined) faults.push(fault);
    },
  );
  const share = Math.round((successes * 100) / count);
  const idle = share < LEAST_SUCCESSES ? [`only ${share} % of the requests were acceptable`] : [];
  return [...faults.slice(0, SHOWN), ...idle];
}

async function faultyAnswer(
  target: Target,
  request: Request,
  seen?: (reply: Reply) => void,
): Promise<string | undefined> {
  const reply = await deliver(target, request);
  seen?.(reply);
  const fault = faultOf(request, reply);
  return fault === undefined ? undefined : report(request, reply, fault);
}
