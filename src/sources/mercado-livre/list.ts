import { bearerHeaders } from '../fetched';
import { topicOf } from '../identity';
import { listRequest, notification } from '../mapping/listed';
import type { ListedItem, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { topLevelMember } from '../top-level-member';
import { isRead } from './notification';

/** Notifications of a page. Mercado Livre gives ten where nothing else is asked for, and says of no most. */
const PAGE = 50;

/**
 * The notifications that Mercado Livre gave up sending, of all sellers and topics of the application, for two days. It cannot be
 * asked for a period and does not say in which order they come: all are read each time, so that one which moved while pages
 * were asked for is in the next comparison. How many a page may have is not said either, so that only an empty one is the last.
 */
export const mercadoLivreList: ProviderList = {
  has: 'events',
  missingSetting: () => undefined,
  request(place = '0', _period, { credentials, accessToken }) {
    const query = new URLSearchParams({
      ...{ app_id: credentials['clientId'] ?? '', limit: String(PAGE), offset: place },
    });
    return listRequest('missed-feeds', '/missed_feeds', query, bearerHeaders(accessToken));
  },
  read({ body }, { place = '0', settings }) {
    const page = Payload.parse(body);
    // Absent is not empty: of another answer nobody may think that nothing was missed.
    if (topLevelMember(body, 'messages') === undefined) page.missing('messages');
    const messages = page.items('messages');
    const items = messages.filter((one) => isOfSource(one, settings)).map(listed);
    return messages.length === 0 ? { items } : { items, next: String(Number(place) + messages.length) };
  },
};

/** Whether it is of the source's seller, and of a topic of which Ponte reads something. */
function isOfSource(message: Payload, settings: Settings): boolean {
  const own = textSetting(settings, 'storeId');
  return (
    own !== undefined && message.textIfAny('user_id') === own && isRead(topicOf(message.textIfAny('topic')))
  );
}

/**
 * What was to be sent, to the letter where it is known by that. The request with which it was tried is left out: it has the
 * address of the source, and with that its secret.
 * @throws UnreadablePayload
 */
function listed(message: Payload): ListedItem {
  const changedAt = message.instant('sent', 'UTC') ?? message.missing('sent');
  const body = notification({
    ...{ topic: message.text('topic'), resource: message.text('resource') ?? message.missing('resource') },
    ...{ user_id: message.text('user_id'), application_id: message.textIfAny('application_id') },
    sent: message.text('sent'),
    actions: message.countOf('actions') > 0 ? message.texts('actions') : [],
  });
  return { webhook: { body }, changedAt };
}
