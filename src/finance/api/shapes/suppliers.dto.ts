import { StakeholderView } from './customers.dto';

/** What operation 19 lists. */
export class SupplierView extends StakeholderView {}
