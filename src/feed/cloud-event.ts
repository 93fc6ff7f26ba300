import type { Organization } from '../kernel/organization';
import type { CloudEventView } from './feed.dto';
import type { PlacedChange } from './feed.repository';

/** A change in the JSON format of CloudEvents 1.0; what is of Ponte's own are extension attributes. */
export function toCloudEvent(change: PlacedChange, { id, slug }: Organization): CloudEventView {
  const { businessKey, deliveryId } = change;
  return {
    specversion: '1.0',
    id: change.id,
    source: `/organizations/${id}`,
    type: change.type,
    subject: change.subject,
    time: change.at.toISOString(),
    datacontenttype: 'application/json',
    organization: slug,
    ...(businessKey !== null && { businesskey: businessKey }),
    ...(deliveryId !== null && { deliveryid: deliveryId }),
    data: change.data,
  };
}
