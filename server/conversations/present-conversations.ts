import { loadCachedAccounts } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { filterVisibleStatuses, presentStatusesById } from '../statuses/index.ts';
import type { ConversationRow } from './list-conversations.ts';
import type { Conversation } from './schema.ts';

/**
 * Conversations as their owner sees them, in the order given, with a fixed number of queries. Suspended participants are
 * left out, and so are conversations with nobody else.
 */
export async function presentConversations(
  app: App,
  ownerId: AccountId,
  rows: readonly ConversationRow[],
): Promise<JsonText<Conversation>[]> {
  const lasts = rows.map((row) => row.last_status_id);
  const [accounts, statuses] = await Promise.all([
    loadCachedAccounts(app, [...new Set([ownerId, ...rows.flatMap((row) => row.participant_ids)])]),
    filterVisibleStatuses(app, ownerId, lasts, 'saved').then((ids) =>
      presentStatusesById(app, { accountId: ownerId }, ids),
    ),
  ]);
  return rows.flatMap((row) => {
    const present = row.participant_ids.flatMap((id) => accounts.get(id) ?? []);
    const others = present.filter(({ suspended }) => !suspended).map(({ json }) => json);
    if (others.length === 0 && present.length > 0) return [];
    // Nobody else takes part: clients show the owner's own picture.
    const shown = others.length > 0 ? others : [accounts.get(ownerId)?.json ?? 'null'];
    const last = statuses.get(row.last_status_id)?.text ?? 'null';
    return new JsonText(
      `{"id":"${row.id}","unread":${row.unread},"accounts":[${shown.join(',')}],"last_status":${last}}`,
    );
  });
}

/** One conversation as its owner sees it. */
export async function presentConversation(
  app: App,
  ownerId: AccountId,
  row: ConversationRow,
): Promise<JsonText<Conversation>> {
  const [conversation] = await presentConversations(app, ownerId, [row]);
  if (conversation === undefined) throw notFound();
  return conversation;
}
