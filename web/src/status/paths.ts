import type { Account, Status } from '../api/entities.ts';

/** Returns the path of a post in the client. */
export const pathOf = ({
  account,
  id,
}: {
  readonly account: Pick<Account, 'acct'>;
  readonly id: Status['id'];
}): string => `/@${account.acct}/${id}`;
