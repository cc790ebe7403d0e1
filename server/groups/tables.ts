import type { Generated } from 'kysely';
import { writableTables } from '../platform/database/writable-tables.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';

/** Whose posts a group boosts. */
export type Posting = 'members' | 'moderators';

/** `removed`: it was boosted before. `refused`: it was not. */
export type GroupPostState = 'waiting' | 'accepted' | 'removed' | 'refused';

export interface GroupTables {
  groups: {
    /** The account that boosts the posts; of type Group, local, without a user. */
    account_id: AccountId;
    posting: Generated<Posting>;
    /** Posts of members wait for a moderator. */
    moderated: Generated<boolean>;
    /** As typed. */
    rules: Generated<string>;
    created_at: Date;
  };
  group_moderators: { group_id: AccountId; account_id: AccountId; created_at: Date };
  group_posts: {
    id: RowId;
    group_id: AccountId;
    status_id: StatusId;
    state: GroupPostState;
    /** It replies to an accepted post of the group, and is not boosted. */
    reply: boolean;
    /** The Create that brought a remote post, as JSON, until the group announced it. */
    activity: string | null;
    created_at: Date;
  };
}

/** Writes the tables of this domain in a transaction. */
export const writable = writableTables<GroupTables>();

declare module '../platform/database/tables.ts' {
  interface Tables extends GroupTables {}
}
