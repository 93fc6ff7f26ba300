import { applyDecorators } from '@nestjs/common';
import { IsFlag, IsText, IsUuidText, Optional } from '../../../http/validation';

/** Text that a body may leave out or clear with null. */
export const OptionalText = (): PropertyDecorator => applyDecorators(IsText(), Optional());

/** A UUID that a body may leave out or clear with null. */
export const OptionalUuid = (): PropertyDecorator => applyDecorators(IsUuidText(), Optional());

/** A flag that a body may leave out or clear with null. */
export const OptionalFlag = (): PropertyDecorator => applyDecorators(IsFlag(), Optional());
