import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferEntryView,
  TransferShape,
} from '../shapes/accounts.dto';

/** Where the organization keeps its money. */
export abstract class AccountsPort {
  /**
   * Opens an account and books its opening balance (operation 10). Not idempotent.
   * @returns the account's UUID
   * @throws Problem `validation-failed`, for a bank or another record the organization does not have among others
   */
  abstract create(organization: Organization, account: AccountShape): Promise<string>;

  /** Accounts in the order of their creation (operation 16). */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>>;

  /**
   * Balances of accounts in the order of their creation (operation 15): opening balance plus every entry.
   * Costs the same however many entries there are.
   */
  abstract listBalances(organization: Organization, list: ListRequest): Promise<ListPart<AccountBalanceView>>;

  /**
   * Replaces what the body brings; what is left out stays, null clears (operation 9). A new opening balance or
   * date takes the old opening entry back and books another. Idempotent.
   * @throws Problem `not-found` when the organization has no such account; `validation-failed` for a name or date
   *   that is cleared, an unknown record, an id that is not the path's, and an opening date after a payment or
   *   receipt on the account among others
   */
  abstract update(organization: Organization, accountId: string, account: AccountUpdateShape): Promise<void>;

  /**
   * Moves money between two accounts (operation 7), on any day: also before they were opened. Not idempotent.
   * @throws Problem `validation-failed`, for an unknown account, or one and the same, among others
   */
  abstract transfer(organization: Organization, transfer: TransferShape): Promise<void>;

  /** Money that was moved between two accounts, in the order of its registration. An extension. */
  abstract listTransfers(organization: Organization, list: ListRequest): Promise<ListPart<TransferEntryView>>;
}
