import { isObject } from '../../kernel/json-object';
import { contentKey, laneOf, peekJson, tokenOf, topicOf } from '../identity';
import { sharedSettings, textSetting } from '../settings';
import { SECRET_IN_ADDRESS, verifyShownSecret } from '../signature';
import type { HandshakeReply, IncomingWebhook, SourceProvider, WebhookIdentity } from '../source';
import { omieApi, omieFetches } from './fetches';
import { checkOmieSettings, COMPARED, COMPARED_TOPICS, omieList } from './list';
import { kindOf } from './message';
import { normaliseOmie } from './normalise';
import { OMIE_SAMPLES } from './omie.samples';

const LONGEST_PING = 200;
const PING = 'omie';
const PROBES: readonly string[] = ['GET', 'HEAD'];

/** When a webhook is saved, Omie probes its address, and posts `{"ping": "omie"}`. */
function handshake({ method, rawBody }: IncomingWebhook): HandshakeReply | undefined {
  if (PROBES.includes(method)) return reply({ status: 'ok' });
  if (method !== 'POST' || rawBody.length > LONGEST_PING) return undefined;
  const body = peekJson(rawBody);
  return body.ping === PING && Object.keys(body).length === 1 ? reply({ pong: PING }) : undefined;
}

function reply(body: Record<string, string>): HandshakeReply {
  return { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

function identify({ rawBody }: IncomingWebhook): WebhookIdentity {
  const { messageId, topic: named, event } = peekJson(rawBody);
  const topic = topicOf(named);
  const dedupeKey = tokenOf(messageId) ?? contentKey(topic, rawBody);
  return { topic, dedupeKey, orderingKey: laneFor(topic, event, dedupeKey), attributes: {} };
}

/** The lane of what a message names first. */
function laneFor(topic: string, event: unknown, dedupeKey: string): string {
  const entry: unknown = Array.isArray(event) ? event[0] : event;
  const about = isObject(entry) ? entry : {};
  const listed: unknown[] = [about.conta_a_receber, about.conta_a_pagar].flat();
  const title = listed.find(isObject) ?? about;
  switch (kindOf(topic)) {
    case 'order':
      return laneOf('order', about.idPedido, dedupeKey);
    case 'receivable':
      return laneOf('payment', title.codigo_lancamento_omie, dedupeKey);
    case 'bill':
      return laneOf('bill', title.codigo_lancamento_omie, dedupeKey);
    case 'customer':
      return laneOf('customer', about.codigo_cliente_omie, dedupeKey);
    case undefined:
      return laneOf('delivery', undefined, dedupeKey);
  }
}

/** Omie: what happened in the ERP, which nobody signs. The secret stands in the address, and everything is fetched back. */
export const omie: SourceProvider = {
  id: 'omie',
  title: 'Omie',
  settings: {
    appKey: {
      type: 'string',
      description:
        'APP KEY of the application in Omie (Portal do Desenvolvedor, then Meus aplicativos). Messages of another application are refused.',
      required: true,
    },
    [COMPARED]: {
      type: 'string',
      description: `Topics that Omie sends to this source, separated by commas, of which Ponte also asks for what did not come: ${COMPARED_TOPICS.join(', ')}. Not set: nothing is compared. Name none that another source reports: each sale would be booked twice.`,
    },
    ...sharedSettings('apiUrl', 'timeZone'),
  },
  checkSettings: checkOmieSettings,
  setUp: [
    'If a shop or gateway that sends webhooks to Ponte enters its sales in Omie too, do not choose the topics of sales orders and receivables here: each sale would be booked twice. The topics of bills do no harm.',
    'Enter a long random text as a secret of this source: it becomes the last part of its address, and whoever knows it is taken for Omie.',
    'In Omie’s Portal do Desenvolvedor (developer.omie.com.br), open Meus aplicativos and the application. Enter its APP KEY as the setting appKey, and its APP SECRET as the credential appSecret of this source.',
    'There open Webhooks, then Adicionar webhook, with the address of this source and the secret at its end. Saving sends a ping, which Ponte answers without storing anything.',
    'Choose the topics VendaProduto (Incluida, Alterada, EtapaAlterada, Faturada, Cancelada, Devolvida), Financas.ContaReceber (Incluido, Alterado, BaixaRealizada, BaixaCancelada), Financas.ContaPagar (BaixaRealizada, BaixaCancelada) and ClienteFornecedor (Incluido, Alterado).',
    'Enter the bank accounts in the table gatewayAccount: omie- and Omie’s number of the account (conta corrente).',
    'Enter in comparedTopics which of VendaProduto and Financas.ContaReceber you chose there: Ponte then asks once an hour for what did not come.',
    'Enter a small receivable in Omie, settle it (baixar) and see that it arrives.',
  ],
  handshake,
  longestHandshake: LONGEST_PING,
  ...SECRET_IN_ADDRESS,
  /** The secret of the address, and the application that the source is of: one address may have been given to several. */
  verify({ token, rawBody }, secrets, settings) {
    const verified = verifyShownSecret(secrets, token);
    const own = textSetting(settings, 'appKey');
    if (!verified.ok || own === undefined) return verified;
    return String(peekJson(rawBody).appKey) === own
      ? verified
      : {
          ok: false,
          reason: 'the message is of another application than the appKey of this source',
          signed: true,
        };
  },
  identify,
  api: omieApi,
  fetchBack: omieFetches,
  list: omieList,
  normalise: normaliseOmie,
  topicInBody: true,
  samples: OMIE_SAMPLES,
};
