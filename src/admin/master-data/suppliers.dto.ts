import { CustomerShape, StakeholderFieldsShape } from '../../finance/api/shapes/customers.dto';
import { ObjectOf, request } from '../fields';
import { revival } from './bodies.dto';

export class NewSupplierBody extends ObjectOf({ reason: request.reason() }, CustomerShape) {}

/** What is left out keeps its value; an object that is given replaces the stored one as a whole. */
export class SupplierChangeBody extends ObjectOf(
  { name: request.text().optional(), reason: request.reason(), deleted: revival },
  StakeholderFieldsShape,
) {}
