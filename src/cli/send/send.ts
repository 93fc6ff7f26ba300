import { randomUUID } from 'node:crypto';
import { findProvider, PROVIDERS } from '../../sources/registry';
import type { MessageToSign, SourceProvider } from '../../sources/source';
import { pathOf, refusal, type Reply } from '../client';
import { command, option, required, wholeNumber } from '../definition';
import { EXIT, type ExitCode, wrongUsage } from '../failure';
import { harmlessJson } from '../output/text';
import { Table } from '../output/table';
import { sourceAddress, type Session } from '../session';
import { neededSecretOf, secretOptions, type SecretOptions } from '../secrets';
import { isObject } from '../../kernel/json-object';

interface SendOptions extends SecretOptions {
  source: string;
  provider: string;
  fixture: string;
  topic?: string;
  id?: string;
  times?: number;
}

/** What is sent: by whom, under which topic. */
interface Webhook {
  provider: SourceProvider;
  topic: string;
  body: Buffer;
}

const MOST_TIMES = 10_000;

/** The providers' samples that can be sent, by the name that `--fixture` takes: `shopify/orders-paid`. */
const SAMPLES: ReadonlyMap<string, Webhook> = new Map(
  PROVIDERS.filter(({ publicKeys }) => !publicKeys).flatMap((provider) =>
    provider.samples.map(({ name, topic, body }) => [`${provider.id}/${name}`, { provider, topic, body }]),
  ),
);

export const SEND = command('send', 'Send a webhook as a shop would, signed, and print what Ponte answers', {
  details:
    'Needs no key, but the secret of the source. Sent several times it keeps its id, as a shop that did not hear ' +
    `the answer: all but the first are duplicates.\n\nFixtures that need no file:\n${[...SAMPLES.keys()].map((name) => `  ${name}`).join('\n')}`,
  examples: [
    '--source main/shopify --provider shopify --fixture shopify/orders-paid --secret-env SHOPIFY_WEBHOOK_SECRET',
    '--source main/shopify --provider shopify --fixture docs/examples/shopify-order-paid.json --topic orders/paid --secret-file ./secret',
  ],
  options: [
    required('--source <org/slug>', 'where to; the slug alone with --org'),
    required(
      '--provider <id>',
      'who it pretends to come from',
      PROVIDERS.map(({ id }) => id),
    ),
    required('--fixture <name|file>', 'what to send: one of those above, or a file; - is the standard input'),
    option('--topic <topic>', "the provider's topic; needed with a file, unless the body itself names it"),
    option('--id <id>', 'what the provider would know it by (default: made at random)'),
    ...secretOptions("the source's secret"),
    wholeNumber('--times <n>', 'how often to send it (default: 1)'),
  ],
  run: send,
});

async function send(session: Session, options: SendOptions): Promise<void> {
  const { times = 1, id = randomUUID() } = options;
  if (times < 1 || times > MOST_TIMES) throw wrongUsage(`--times must be from 1 to ${MOST_TIMES}`);
  const { provider, topic, body } = await webhookOf(session, options);
  const secret = await neededSecretOf(session, options);
  const address = [...sourceAddress(session, options.source), ...(provider.secretInAddress ? [secret] : [])];
  const path = `/hooks${pathOf(...address)}`;
  const table = new Table(['status', 'duplicate', 'delivery'], session.terminal.style);
  for (let count = 0; count < times && session.terminal.isRead; count += 1) {
    const message = { secret, body, topic, id, sentAt: new Date() };
    const headers = signed(provider, message);
    const query = provider.signQuery?.(message) ?? {};
    const reply = await session.client.send({ method: 'POST', path, query, headers, body });
    if (reply.status >= 300) throw refusal(reply, session.client.url, exitOf(reply.status));
    await printReply(session, table, reply);
  }
}

async function printReply(session: Session, table: Table, { status, text, body }: Reply): Promise<void> {
  if (session.json) await session.terminal.print(`${harmlessJson(text)}\n`);
  else await session.terminal.printLines(table.lines([{ status, ...(isObject(body) ? body : {}) }]));
}

/** A source's refusal of a signature is no refusal of a key. */
function exitOf(status: number): ExitCode {
  return status === 404 ? EXIT.notFound : EXIT.refused;
}

async function webhookOf(session: Session, options: SendOptions): Promise<Webhook> {
  const { fixture, topic } = options;
  const provider = findProvider(options.provider);
  if (!provider) throw wrongUsage(`there is no provider ${options.provider}`);
  if (provider.publicKeys)
    throw wrongUsage(`Only ${provider.title} can sign as it does: what anybody else signs is refused`);
  const sample = SAMPLES.get(fixture);
  if (sample && sample.provider !== provider)
    throw wrongUsage(`${fixture} is none of ${provider.id}, but of ${sample.provider.id}`);
  if (sample) return { ...sample, topic: topic ?? sample.topic };
  const body = await session.files.bytes(fixture);
  if (topic === undefined && !provider.topicInBody)
    throw wrongUsage(`Which topic? Give --topic, such as ${provider.samples[0]?.topic}`);
  return { provider, topic: topic ?? '', body };
}

function signed(provider: SourceProvider, message: MessageToSign): Record<string, string> {
  const headers = ((): Record<string, string> => {
    try {
      return provider.sign(message);
    } catch (error) {
      throw wrongUsage(error instanceof Error ? error.message : 'It cannot be signed');
    }
  })();
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]*$/.test(value)))
    throw wrongUsage('--id and --topic are sent as headers, which hold ASCII characters only');
  return headers;
}
