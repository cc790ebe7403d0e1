import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountId, ConversationId, StatusId } from '../platform/ids.ts';
import type { StatusBody } from './status-bodies.ts';

/** What one viewer has done with one status. */
export interface Overlay {
  readonly favourited: boolean;
  readonly reblogged: boolean;
  readonly bookmarked: boolean;
  /** It muted the conversation. */
  readonly muted: boolean;
  readonly pinned: boolean;
}

type OverlayRow = Overlay & { readonly id: StatusId };

const overlayRows = prepared<OverlayRow>()(
  (
    db,
    {
      viewerId,
      ids,
      conversations,
    }: { viewerId: AccountId; ids: StatusId[]; conversations: (ConversationId | null)[] },
  ) => ({
    compile: () =>
      sql<OverlayRow>`
        select subject.id,
          f.id is not null as favourited,
          r.id is not null as reblogged,
          b.id is not null as bookmarked,
          m.account_id is not null as muted,
          p.id is not null as pinned
        from unnest(${ids}::bigint[], ${conversations}::bigint[]) as subject(id, conversation_id)
          left join favourites f on f.account_id = ${viewerId} and f.status_id = subject.id
          left join statuses r on r.account_id = ${viewerId} and r.reblog_of_id = subject.id
            and r.reblog_of_id is not null and r.deleted_at is null
          left join bookmarks b on b.account_id = ${viewerId} and b.status_id = subject.id
          left join status_pins p on p.account_id = ${viewerId} and p.status_id = subject.id
          left join conversation_mutes m on m.account_id = ${viewerId} and m.conversation_id = subject.conversation_id`.compile(
        db,
      ),
  }),
);

/**
 * What `viewerId` has done with these statuses (originals: a reblog has what its original has), in one statement for
 * any number of them.
 */
export async function loadOverlays(
  app: App,
  viewerId: AccountId,
  originals: Iterable<StatusBody>,
): Promise<Map<StatusId, Overlay>> {
  const ids: StatusId[] = [];
  const conversations: (ConversationId | null)[] = [];
  for (const { id, conversationId } of originals) {
    ids.push(id);
    conversations.push(conversationId);
  }
  if (ids.length === 0) return new Map();
  const rows = await overlayRows(app, { viewerId, ids, conversations });
  return new Map(rows.map((row) => [row.id, row]));
}
