import { Controller, Delete, Get, Logger, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblems, OperatorsApi } from '../../http/api';
import { actorOf, type Caller, CurrentCaller } from '../../http/caller';
import { sendsKeyInHeader } from '../../http/credential';
import { removeSessionCookie, sessionTokenOf, setSessionCookie } from '../../http/session-cookie';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { csrfTokenOf, OperatorSessions } from '../../organizations/operator-sessions';
import { OrganizationsRepository } from '../../organizations/organizations.repository';
import { Answers, Creates, Does } from '../operation';
import { type SignedInOrganization, SessionView } from './session.dto';

/** Organizations that are listed at once. */
const MOST = 500;

/** Signing in: a browser sends a key once, and a session from then on. */
@OperatorsApi('Session')
@Controller('admin/session')
export class SessionController {
  private readonly logger = new Logger('console');

  constructor(
    private readonly sessions: OperatorSessions,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /** @throws Problem key-missing where no key is in a header: a form of another site could sign somebody in with its own */
  @Post()
  @Creates(
    SessionView,
    'Sign in: the session is set as a cookie that no script reads, and lasts twelve hours',
  )
  async begin(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionView> {
    if (!sendsKeyInHeader(request))
      throw new Problem('key-missing', 'Sign in with a key, sent as Authorization: Bearer');
    const { token, expiresAt } = await this.sessions.begin(actorOf(caller));
    setSessionCookie(request, reply, token, expiresAt);
    this.logger.log({ msg: 'console: somebody signed in', key: caller.keyId });
    return this.view(caller, token, expiresAt);
  }

  /** @throws Problem not-found where the request has a key and no session */
  @Get()
  @Answers(SessionView, 'Who is signed in')
  @ApiProblems('not-found')
  async show(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<SessionView> {
    const token = sessionTokenOf(request);
    const session = token === undefined ? undefined : await this.sessions.verify(token);
    if (token === undefined || !session) throw new Problem('not-found', 'Nobody is signed in');
    return this.view(caller, token, session.expiresAt);
  }

  @Delete()
  @Does('Sign out')
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = sessionTokenOf(request);
    if (token !== undefined) await this.sessions.end(token);
    removeSessionCookie(request, reply);
  }

  private async view(caller: Caller, token: string, expiresAt: Date): Promise<SessionView> {
    const { organization, isOperator } = caller;
    const organizations = organization ? [organization] : (await this.organizations.list()).slice(0, MOST);
    return {
      csrfToken: csrfTokenOf(token),
      expiresAt: expiresAt.toISOString(),
      isOperator,
      keyId: actorOf(caller),
      organizations: organizations.map(shown),
    };
  }
}

function shown({ slug, name, timeZone, currency }: Organization): SignedInOrganization {
  return { slug, name, timeZone, currency };
}
