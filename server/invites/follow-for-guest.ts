import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { later } from '../platform/write/reactions.ts';
import { acceptFollowRequest, followIfPossible } from '../relationships/follow/index.ts';
import { signUpCompleted } from '../users/index.ts';

/** Someone who signed up with an invite follows the user who invited, and the accounts of its collection if they wanted to. */
export const followForGuest = later('default', [signUpCompleted], {
  name: 'invite.follow_for_guest',
  async run(app, { accountId }) {
    for (const { id, isInviter } of await findTargets(app, accountId)) {
      const result = await followIfPossible(app, accountId, id);
      if (result === 'too many') return;
      // Whoever invites with `autofollow` has agreed already.
      if (result === 'requested' && isInviter) await acceptFollowRequest(app, id, accountId);
    }
  },
});

interface Target {
  readonly id: AccountId;
  readonly isInviter: boolean;
}

/** Returns the accounts that a new one follows because of its invite, the user who invited first. A collection has few accounts. */
async function findTargets({ db }: App, accountId: AccountId): Promise<Target[]> {
  const { rows } = await sql<Target>`
    with invite as (
      select inviter.account_id as "inviterId", invites.autofollow,
        case when users.follows_collection then invites.collection_id end as "collectionId"
      from users join invites on invites.id = users.invite_id join users inviter on inviter.id = invites.user_id
      where users.account_id = ${accountId}::bigint
    )
    select "inviterId" as id, true as "isInviter", -1 as place from invite where autofollow
    union all
    select item.account_id, false, item.place
    from invite join collection_items item on item.collection_id = invite."collectionId"
    where item.state = 'accepted' and item.account_id <> ${accountId}::bigint
      and (item.account_id <> "inviterId" or not autofollow)
    order by place`.execute(db);
  return rows;
}
