import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { pagedQuery } from '../platform/database/paged-query.ts';
import type { Page } from '../platform/http/pages.ts';
import type { AccountId, RowId, StatusId } from '../platform/ids.ts';

/** A conversation of its owner. */
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

/** Returns a page of an account's conversations by their last statuses, newest first. Cursors are the ids of those. */
export const listConversations = (app: App, accountId: AccountId, page: Page): Promise<ConversationRow[]> =>
  conversationRows(app, page, { accountId });

/** Returns a conversation of an account. */
export const findConversation = (app: App, accountId: AccountId, id: RowId): Promise<ConversationRow | undefined> =>
  app.db
    .selectFrom('account_conversations')
    .select(conversationColumns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
