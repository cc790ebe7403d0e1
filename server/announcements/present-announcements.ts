import { sql } from 'kysely';
import type { Static } from 'typebox';
import { loadCachedAccounts, type CachedAccount } from '../accounts/present/index.ts';
import { presentEmojisFor } from '../emojis/index.ts';
import { loadMediaViewer, urlFor, type MediaViewer } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { batchedQuery } from '../platform/database/batched-query.ts';
import { asciiJson, joinJsonList, JsonText } from '../platform/http/http-response.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import type { Status } from '../statuses/index.ts';
import { filterVisibleStatuses, presentStatusesById } from '../statuses/read/index.ts';
import { listPublishedAnnouncements, type CachedAnnouncement, type ReactionCount } from './find-announcements.ts';
import type { AdminAnnouncement, Announcement } from './schema.ts';
import type { AnnouncementId } from './tables.ts';

/** The account that an announcement is presented to; undefined: everyone, as in streams. */
type Viewer = { readonly accountId: AccountId } | undefined;

type Reaction = Static<typeof Announcement>['reactions'][number];

interface ViewerRow {
  readonly announcement_id: AnnouncementId;
  /** The emoji with which the account reacted. Null: it dismissed the announcement. */
  readonly name: string | null;
}

const viewerRows = batchedQuery<ViewerRow>()(
  { accountId: 'bigint' },
  ({ accountId }) => sql`
    select announcement_id, name from announcement_reactions where account_id = ${accountId}
    union all select announcement_id, null from announcement_dismissals where account_id = ${accountId}`,
);

/** What a viewer did with the announcements. */
interface ViewerState {
  readonly dismissedIds: ReadonlySet<AnnouncementId>;
  readonly hasReacted: (id: AnnouncementId, name: string) => boolean;
}

async function loadViewerState(app: App, accountId: AccountId): Promise<ViewerState> {
  const rows = await viewerRows(app, { accountId });
  const reactions = new Set(rows.map(({ announcement_id: id, name }) => `${id} ${name}`));
  return {
    dismissedIds: new Set(rows.filter(({ name }) => name === null).map(({ announcement_id: id }) => id)),
    hasReacted: (id, name) => reactions.has(`${id} ${name}`),
  };
}

/** Lists the published announcements for a viewer, without those that the viewer dismissed unless `withDismissed`. */
export async function presentPublishedAnnouncements(
  app: App,
  viewer: { readonly accountId: AccountId },
  { withDismissed }: { readonly withDismissed: boolean },
): Promise<JsonText<Static<typeof Announcement>[]>> {
  const published = await listPublishedAnnouncements(app);
  if (published.length === 0) return joinJsonList([]);
  const state = await loadViewerState(app, viewer.accountId);
  const shown = withDismissed ? published : published.filter(({ row }) => !state.dismissedIds.has(row.id));
  return joinJsonList(
    await presentAll<Static<typeof Announcement>>(app, viewer, shown, {
      state,
      membersOf: ({ row }) => ({ read: state.dismissedIds.has(row.id) }),
    }),
  );
}

/** Presents a published announcement without the state of a viewer; undefined if it is not published. */
export async function presentAnnouncementToAll(
  app: App,
  id: AnnouncementId,
): Promise<JsonText<Static<typeof Announcement>> | undefined> {
  const published = (await listPublishedAnnouncements(app)).filter(({ row }) => row.id === id);
  return (await presentAll<Static<typeof Announcement>>(app, undefined, published, { state: undefined }))[0];
}

/** Presents announcements to staff, published or not. */
export function presentAdminAnnouncements(
  app: App,
  staff: { readonly accountId: AccountId },
  announcements: readonly CachedAnnouncement[],
): Promise<JsonText<Static<typeof AdminAnnouncement>>[]> {
  return presentAll(app, staff, announcements, {
    state: undefined,
    membersOf: ({ row }) => ({
      text: row.text,
      published: row.published_at !== null,
      draft: row.draft,
      scheduled_at: row.scheduled_at,
      created_at: row.created_at,
    }),
  });
}

/** The event `announcement.reaction` of streams (reference/streaming.tsv). */
export interface ReactionUpdate {
  readonly name: string;
  /** May be 0. */
  readonly count: number;
  readonly announcement_id: AnnouncementId;
  readonly url?: string;
  readonly static_url?: string;
}

/** Presents the count of one reaction for streams; undefined if the announcement is not published (ANN-02). */
export async function presentReactionUpdate(
  app: App,
  id: AnnouncementId,
  name: string,
): Promise<ReactionUpdate | undefined> {
  const announcement = (await listPublishedAnnouncements(app)).find(({ row }) => row.id === id);
  if (announcement === undefined) return undefined;
  const reaction = announcement.reactions.find((each) => each.name === name);
  if (reaction === undefined) return { name, count: 0, announcement_id: id };
  const media = await loadMediaViewer(app, undefined);
  return { ...presentReaction(app, reaction, media), announcement_id: id };
}

interface PresentOptions {
  /** Undefined: reactions have no `me`. */
  readonly state: ViewerState | undefined;
  /** Further members of the object. */
  readonly membersOf?: (announcement: CachedAnnouncement) => object;
}

async function presentAll<Value>(
  app: App,
  viewer: Viewer,
  announcements: readonly CachedAnnouncement[],
  { state, membersOf }: PresentOptions,
): Promise<JsonText<Value>[]> {
  const rows = announcements.map(({ row }) => row);
  const linkedIds = rows.flatMap(({ status_ids: ids }) => ids);
  const visibleIds = await filterVisibleStatuses(app, viewer?.accountId, [...new Set(linkedIds)], 'account');
  const [accounts, statuses, media] = await Promise.all([
    loadCachedAccounts(app, [...new Set(rows.flatMap(({ mentioned_ids: ids }) => ids))]),
    presentStatusesById(app, viewer, visibleIds),
    loadMediaViewer(app, viewer?.accountId),
  ]);
  return announcements.map((announcement) => {
    const members = {
      ...presentMembers(app, announcement, { accounts, media }),
      ...membersOf?.(announcement),
      reactions: announcement.reactions.map((reaction) => ({
        ...presentReaction(app, reaction, media),
        ...(state && { me: state.hasReacted(announcement.row.id, reaction.name) }),
      })),
    };
    return new JsonText<Value>(appendStatuses(members, announcement.row.status_ids, statuses));
  });
}

function presentMembers(
  app: App,
  { row, emojis }: CachedAnnouncement,
  { accounts, media }: { accounts: ReadonlyMap<AccountId, CachedAccount>; media: MediaViewer },
) {
  return {
    id: row.id,
    content: row.content,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    all_day: row.all_day,
    published_at: row.published_at,
    updated_at: row.updated_at,
    mentions: row.mentioned_ids.flatMap((id) => {
      const account = accounts.get(id);
      if (account === undefined || account.suspended || !account.activated) return [];
      return [{ id, username: account.username, url: account.url, acct: account.acct }];
    }),
    tags: row.tag_names.map((name) => ({ name, url: `${app.config.baseUrl}/tags/${encodeURIComponent(name)}` })),
    emojis: presentEmojisFor(media, emojis),
  };
}

function presentReaction(
  app: App,
  { name, count, image_key, static_key }: ReactionCount,
  media: MediaViewer,
): Reaction {
  if (image_key === null || static_key === null) return { name, count };
  const toUrl = (key: string): string => urlFor(app.storage.url(key), media);
  return { name, count, url: toUrl(image_key), static_url: toUrl(static_key) };
}

function appendStatuses(
  members: object,
  ids: readonly StatusId[],
  statuses: ReadonlyMap<StatusId, JsonText<Static<typeof Status>>>,
): string[] {
  const linked = joinJsonList(ids.flatMap((id) => statuses.get(id) ?? []));
  return [asciiJson(members).slice(0, -1), ',"statuses":', ...linked.fragments, '}'];
}
