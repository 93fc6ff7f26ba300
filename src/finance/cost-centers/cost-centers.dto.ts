import { ApiProperty } from '@nestjs/swagger';
import { IsText, IsUuidText, Optional } from '../../http/validation';
import { UUID } from '../shapes/view.dto';

/** The body of operation 6: what is left out keeps its value. */
export class CostCenterShape {
  /** Must be the path's, where it is there. */
  @Optional()
  @IsUuidText()
  costCenterId?: string | null;

  /** Cannot be cleared: a cost center without a description could not be told from another. */
  @Optional()
  @IsText()
  description?: string | null;

  /** Null clears it. */
  @Optional()
  @IsText()
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
