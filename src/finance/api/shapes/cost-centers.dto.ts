import { ApiProperty } from '@nestjs/swagger';
import { IsText, IsUuidText, MayBeLeftOut, Optional } from '../../../http/validation';
import { OptionalText } from './optional-fields';
import { OfPath } from './document-fields.dto';
import { UUID } from './view.dto';

/** The body of operation 6: what is left out keeps its value. */
export class CostCenterShape {
  @Optional()
  @OfPath()
  @IsUuidText()
  costCenterId?: string | null;

  /** Cannot be cleared: a cost center without a description could not be distinguished from another. */
  @MayBeLeftOut()
  @IsText()
  description?: string;

  /** Null clears it. */
  @OptionalText()
  externalCode?: string | null;
}

/** What operation 14 lists. */
export class CostCenterView {
  @ApiProperty(UUID)
  costCenterId!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ required: false })
  externalCode?: string;
}
