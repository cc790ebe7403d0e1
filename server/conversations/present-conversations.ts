import { loadCachedAccounts, toAccountText } from '../accounts/present/index.ts';
import { mediaViewerOf } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { joinJsonList, JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { filterVisibleStatuses, presentStatusesById } from '../statuses/read/index.ts';
import type { ConversationRow } from './list-conversations.ts';
import type { Conversation } from './schema.ts';

/**
 * Presents conversations to their owner, in order, with a fixed number of queries. Leaves out suspended participants, and
 * conversations that have only those.
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
  const media = mediaViewerOf({ accountId: ownerId });
  return rows.flatMap((row) => {
    const present = row.participant_ids.flatMap((id) => accounts.get(id) ?? []);
    const others = present.filter(({ suspended }) => !suspended);
    if (others.length === 0 && present.length > 0) return [];
    // Without other participants, clients show the owner's avatar.
    const owner = accounts.get(ownerId);
    const shown = others.length > 0 || owner === undefined ? others : [owner];
    const list = joinJsonList(shown.map((account) => toAccountText(account, media)));
    const last = statuses.get(row.last_status_id)?.fragments ?? ['null'];
    return new JsonText([
      `{"id":"${row.id}","unread":${row.unread},"accounts":`,
      ...list.fragments,
      ',"last_status":',
      ...last,
      '}',
    ]);
  });
}

/** Presents one conversation to its owner. Throws 404 if it is left out. */
export async function presentConversation(
  app: App,
  ownerId: AccountId,
  row: ConversationRow,
): Promise<JsonText<Conversation>> {
  const [conversation] = await presentConversations(app, ownerId, [row]);
  if (conversation === undefined) throw notFound();
  return conversation;
}
