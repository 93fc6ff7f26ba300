import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Problem, ProblemCode } from '../kernel/problem';
import { prefersXmlProblem, problemsHaveXml } from './reply-form';
import { writeXml } from './xml/write-xml';

/** The media types of problem documents (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';
const PROBLEM_XML = 'application/problem+xml';

/** As appendix B of RFC 9457 has it, with the namespace of the RFC before it. */
export const XML_OF_PROBLEMS = { root: 'problem', item: 'i', namespace: 'urn:ietf:rfc:7807' } as const;

/** Seconds of Retry-After when nothing better is known. */
const DEFAULT_RETRY_SECONDS = 1;

const CHALLENGES: Partial<Record<ProblemCode, string>> = {
  'key-missing': 'Bearer realm="ponte"',
  'key-invalid': 'Bearer realm="ponte", error="invalid_token"',
  'signature-invalid': 'Signature realm="hooks"',
};

/** @param requestId names this very occurrence, in the document and in the log alike */
export function problemDocument(problem: Problem, requestId: string): Record<string, unknown> {
  return {
    ...problem.extras.members,
    type: `urn:ponte:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: `urn:uuid:${requestId}`,
    ...(problem.extras.errors && { errors: problem.extras.errors }),
    error: problem.code,
    error_description: problem.detail,
  };
}

/** The headers that go with a problem: `Retry-After`, `WWW-Authenticate`. */
function problemHeaders(problem: Problem): Record<string, string> {
  const mayPass = problem.status === 429 || problem.status === 503;
  const retry = problem.extras.retryAfterSeconds ?? (mayPass ? DEFAULT_RETRY_SECONDS : undefined);
  const challenge = CHALLENGES[problem.code];
  return {
    ...(retry !== undefined && { 'retry-after': String(Math.max(0, Math.ceil(retry))) }),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    'cache-control': 'no-store',
  };
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): void {
  const document = problemDocument(problem, request.id);
  const withXml = problemsHaveXml(request.url);
  const inXml = withXml && prefersXmlProblem(request);
  void reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .headers(withXml ? { vary: 'Accept' } : {})
    .type(inXml ? `${PROBLEM_XML}; charset=utf-8` : PROBLEM_JSON)
    .send(inXml ? writeXml(XML_OF_PROBLEMS.root, document, XML_OF_PROBLEMS) : JSON.stringify(document));
}
