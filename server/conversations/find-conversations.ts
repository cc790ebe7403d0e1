import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
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

interface Args {
  readonly accountId: AccountId;
  readonly below: string;
  readonly above: string;
  readonly limit: number;
}

const listing = (direction: 'asc' | 'desc') =>
  prepared<ConversationRow>()((db, { accountId, below, above, limit }: Args) =>
    db
      .selectFrom('account_conversations')
      .select(conversationColumns)
      .where('account_id', '=', accountId)
      .where('last_status_id', '<', sql<StatusId>`${below}::bigint`)
      .where('last_status_id', '>', sql<StatusId>`${above}::bigint`)
      .orderBy('last_status_id', direction)
      .limit(sql<number>`${limit}::int`),
  );
const listings = { asc: listing('asc'), desc: listing('desc') };

const highest = '9223372036854775807';

/** Someone's conversations, the one with the last post first; paged by the ids of these posts. */
export async function listConversations(app: App, accountId: AccountId, page: Page): Promise<ConversationRow[]> {
  const ascending = page.minId !== undefined;
  const rows = await listings[ascending ? 'asc' : 'desc'](app, {
    accountId,
    below: page.maxId ?? highest,
    above: page.minId ?? page.sinceId ?? `-${highest}`,
    limit: page.limit,
  });
  return ascending ? rows.toReversed() : rows;
}
