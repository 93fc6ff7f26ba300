import { ApiProperty } from '@nestjs/swagger';
import { UUID } from './view.dto';

/** A company whose books a key opens. */
export class OrganizationListingView {
  @ApiProperty(UUID)
  id!: string;

  /** The short name that `Organization` takes as well. */
  @ApiProperty({ required: false })
  slug?: string;

  @ApiProperty()
  name!: string;

  /** IANA name. */
  @ApiProperty({ required: false })
  timeZone?: string;

  /** ISO 4217. */
  @ApiProperty({ required: false })
  currency?: string;
}
