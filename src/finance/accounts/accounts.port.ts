import type { Organization } from '../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferShape,
} from './accounts.dto';

/** Where the organization keeps its money. */
export abstract class AccountsPort {
  /**
   * Opens an account and books its opening balance (operation 10). Not idempotent.
   * @returns the account's UUID
   * @throws Problem `validation-failed`, for a bank the organization does not have among others
   */
  abstract create(organization: Organization, account: AccountShape): Promise<string>;

  /** Accounts in the order of their creation (operation 16). */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>>;

  /**
   * Balances of accounts in the order of their creation (operation 15): opening balance plus every entry.
   * Costs the same however many entries there are.
   */
  abstract listBalances(organization: Organization, list: ListRequest): Promise<ListPart<AccountBalanceView>>;

  /** Replaces what the body brings (operation 9). Idempotent. @throws Problem `not-implemented` */
  abstract update(organization: Organization, accountId: string, account: AccountUpdateShape): Promise<void>;

  /** Moves money between two accounts (operation 7). Not idempotent. @throws Problem `not-implemented` */
  abstract transfer(organization: Organization, transfer: TransferShape): Promise<void>;
}
