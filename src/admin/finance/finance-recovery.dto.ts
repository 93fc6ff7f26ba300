import { ObjectOf, reply } from '../fields';

/** Whether calls are looked for in the finance service before they are sent. */
export class FinanceRecoveryView extends ObjectOf({
  recoveredAt: reply
    .instant("When Ponte's database was put back to an earlier state; null: calls are sent without looking")
    .nullable(),
}) {}
