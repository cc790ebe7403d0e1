import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';

/** A conversation as its owner lists it. */
export interface ConversationRow {
  readonly id: RowId;
  readonly participant_ids: AccountId[];
  readonly last_status_id: StatusId;
  readonly unread: boolean;
  readonly lock_version: number;
}

export const conversationColumns = ['id', 'participant_ids', 'last_status_id', 'unread', 'lock_version'] as const;

const conversationRows = pagedQuery<ConversationRow>()<{ accountId: AccountId }>((db, args, order) =>
  db
    .selectFrom('account_conversations')
    .select(conversationColumns)
    .where('account_id', '=', args.accountId)
    .where('last_status_id', '<', sql<StatusId>`${args.below}::bigint`)
    .where('last_status_id', '>', sql<StatusId>`${args.above}::bigint`)
    .orderBy(sql`last_status_id ${order}`)
    .limit(sql<number>`${args.limit}::int`),
);

/** Someone's conversations, the one with the last post first; paged by the ids of these posts. */
export const listConversations = (app: App, accountId: AccountId, page: Page): Promise<ConversationRow[]> =>
  conversationRows(app, page, { accountId });
