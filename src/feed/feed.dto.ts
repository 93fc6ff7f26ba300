import { ApiProperty } from '@nestjs/swagger';
import { IsText } from '../http/validation';
import { CHANGE_TYPES, type ChangeType } from './changes/change-types';
import { MAX_CURSOR } from './cursor';

const EXAMPLE = {
  specversion: '1.0',
  id: '019aa7d3-2f0b-7a55-9c11-4f7d3c5f0a52-1',
  source: '/organizations/019aa7d0-10aa-7c3e-8f0e-7f7a5d9f6c11',
  type: 'receipt.registered',
  subject: 'receipt/019aa7d3-2ef1-7b1c-b0a3-55a2f1d0c9e8',
  time: '2026-03-10T15:00:00.000Z',
  datacontenttype: 'application/json',
  organization: 'main',
  businesskey: 'shopify/1001/payment/1',
  deliveryid: '019aa7d3-2ea0-7f9b-8a1d-2f3c4b5a6978',
  data: {
    entryId: '019aa7d3-2ef1-7b1c-b0a3-55a2f1d0c9e8',
    scheduleId: '019aa7d3-2ee2-7d0a-9b7c-0c1d2e3f4a5b',
    account: { id: '019aa7d0-1111-7aaa-8bbb-0a0b0c0d0e0f', name: 'Main account', isDeleted: false },
    stakeholder: { id: '019aa7d3-2ed0-7e1f-a2b3-c4d5e6f70819', name: 'Lia Campos', isDeleted: false },
    category: {},
    date: '2026-03-10T00:00:00-03:00',
    identifier: 'shopify/1001/payment/1',
    value: 100,
    description: 'shopify order 1001',
    isReconciliated: false,
    isTransfer: false,
    isFlagged: false,
  },
};

/** A change as a CloudEvent (version 1.0, JSON format). */
export class CloudEventView {
  @ApiProperty({ enum: ['1.0'] })
  specversion!: '1.0';

  @ApiProperty({
    description: 'The same for ever, however often the change is read: what to know it again by',
  })
  id!: string;

  @ApiProperty({ format: 'uri-reference', description: 'The organization, by its id' })
  source!: string;

  @ApiProperty({ enum: Object.keys(CHANGE_TYPES) })
  type!: ChangeType;

  @ApiProperty({
    description: 'Kind and identifier of the record; order within a record is the order of commit',
  })
  subject!: string;

  @ApiProperty({ format: 'date-time' })
  time!: string;

  @ApiProperty({ enum: ['application/json'] })
  datacontenttype!: 'application/json';

  @ApiProperty({ description: "The organization's slug" })
  organization!: string;

  @ApiProperty({ required: false, description: 'Of the effect that did it: what it is about, in the source' })
  businesskey?: string;

  @ApiProperty({ required: false, format: 'uuid', description: 'The delivery that caused it' })
  deliveryid?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The record as `/v1` shows it, as it stood when the change was committed',
  })
  data!: object;
}

export class FeedPageView {
  @ApiProperty({ type: [CloudEventView], example: [EXAMPLE] })
  items!: CloudEventView[];

  @ApiProperty({ description: 'To be sent as `after` once the items are taken in; opaque' })
  cursor!: string;

  @ApiProperty({ description: 'Whether there is more to be read at once, also where there are no items' })
  more!: boolean;
}

export class CursorBody {
  @ApiProperty({ description: 'As a page of the feed gave it' })
  @IsText({ max: MAX_CURSOR })
  cursor!: string;
}

export class NamedCursorView {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  cursor!: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;
}

export class NamedCursorsView {
  @ApiProperty({ type: [NamedCursorView], description: 'All of them, by name' })
  items!: NamedCursorView[];
}
