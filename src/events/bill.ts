import type { Money } from '../kernel/money';

/** Whom a bill is owed to. */
export interface SupplierFacts {
  /** Never empty. */
  name: string;
  /** CPF or CNPJ as the ERP has it, not yet checked; absent when the ERP has none. */
  document?: string;
}

/** A supplier's bill that was paid in the ERP. */
export interface BillFacts {
  /** Business key: `{source slug}/bill/{id}`. */
  key: string;
  /** The source's slug. */
  source: string;
  id: string;
  supplier: SupplierFacts;
  /** What was paid. Positive. */
  value: Money;
  paidAt: Date;
  description?: string;
  /** What the ERP calls the kind of expense. */
  category?: string;
  /** Visible, posts nothing unless the source says so. */
  test: boolean;
}
