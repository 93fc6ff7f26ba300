import { ApiProperty } from '@nestjs/swagger';
import { UUID } from './view.dto';

export class CategoryGroupView {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  referenceCode!: string;
}

/** What operation 17 answers with. */
export class CategoryView {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  referenceCode!: string;

  /** For money that comes in, or that goes out. */
  @ApiProperty({ enum: ['in', 'out'] })
  type!: string;

  @ApiProperty({ type: CategoryGroupView })
  group!: CategoryGroupView;
}
