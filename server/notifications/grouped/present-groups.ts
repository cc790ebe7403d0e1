import { loadCachedAccounts, toAccountText, type CachedAccount } from '../../accounts/present/index.ts';
import { presentCollections } from '../../collections/read/index.ts';
import { mediaViewerOf, type MediaViewer } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson, joinJsonList, JsonText } from '../../platform/http/http-response.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { AccountId, CollectionId, NotificationId } from '../../platform/ids.ts';
import { presentStatusesById } from '../../statuses/read/index.ts';
import { buildFallback } from '../fallback.ts';
import type { Notification } from '../schema.ts';
import { presentSubjects, type Subject } from '../subjects.ts';
import type { NotificationGroupRow } from './list-groups.ts';
import type { GroupedNotificationsResults, PartialAccountWithAvatar } from './schema.ts';

export interface GroupPresentation {
  /** `partialAvatars`: of each group only the newest sender in full. */
  readonly accounts: 'full' | 'partialAvatars';
  /** Whether the groups are a page of a list, and tell their place in it. */
  readonly isList: boolean;
  /** The types that the client says it supports. */
  readonly supportedTypes: readonly string[] | undefined;
}

/** Presents groups in order, without those whose senders or subject no longer exist. */
export async function presentGroups(
  app: App,
  viewer: CurrentUser,
  rows: readonly NotificationGroupRow[],
  presentation: GroupPresentation,
): Promise<JsonText<GroupedNotificationsResults>> {
  const [accounts, statuses, collections, subjects] = await Promise.all([
    loadCachedAccounts(
      app,
      rows.flatMap(({ senderIds }) => senderIds),
    ),
    presentStatusesById(
      app,
      viewer,
      rows.flatMap(({ newest }) => newest.status_id ?? []),
    ),
    presentCollections(
      app,
      viewer,
      rows.flatMap(({ newest }) => newest.collection_id ?? []),
    ),
    presentSubjects(
      app,
      viewer,
      rows.map(({ newest }) => newest),
    ),
  ]);
  const collectionById = new Map(collections.map((collection) => [collection.id, collection]));
  const groups = rows
    .map((row) => ({ ...row, senderIds: row.senderIds.filter((id) => accounts.has(id)) }))
    .filter(
      ({ newest, senderIds }) =>
        senderIds.length > 0 &&
        (newest.status_id === null || statuses.has(newest.status_id)) &&
        (newest.collection_id === null || collectionById.has(newest.collection_id)) &&
        (newest.subject_id === null || subjects.has(newest.id)),
    );
  const { full, partial } = chooseAccounts(groups, presentation);
  const media = mediaViewerOf(viewer);
  const toTexts = (ids: ReadonlySet<AccountId>) => [...ids].flatMap((id) => accounts.get(id) ?? []);
  const fragments = [
    '{"accounts":',
    ...joinJsonList(toTexts(full).map((each) => toAccountText(each, media))).fragments,
  ];
  if (presentation.accounts === 'partialAvatars') {
    fragments.push(',"partial_accounts":', asciiJson(toTexts(partial).map((each) => toPartialAccount(each, media))));
  }
  const shownStatuses = new Set(groups.flatMap(({ newest }) => newest.status_id ?? []));
  fragments.push(',"statuses":', ...joinJsonList([...shownStatuses].flatMap((id) => statuses.get(id) ?? [])).fragments);
  const groupTexts = groups.map((group) => renderGroup(group, { accounts, collectionById, subjects, presentation }));
  fragments.push(',"notification_groups":[', groupTexts.join(','), ']}');
  return new JsonText(fragments);
}

/** Splits the senders of the groups into those presented in full and the others, each once. */
function chooseAccounts(
  groups: readonly NotificationGroupRow[],
  { accounts }: GroupPresentation,
): { full: ReadonlySet<AccountId>; partial: ReadonlySet<AccountId> } {
  const all = new Set(groups.flatMap(({ senderIds }) => senderIds));
  if (accounts === 'full') return { full: all, partial: new Set() };
  const full = new Set(groups.flatMap(({ senderIds }) => senderIds.slice(0, 1)));
  return { full, partial: all.difference(full) };
}

interface GroupContext {
  readonly accounts: ReadonlyMap<AccountId, CachedAccount>;
  readonly collectionById: ReadonlyMap<CollectionId, Notification['collection']>;
  readonly subjects: ReadonlyMap<NotificationId, Subject>;
  readonly presentation: GroupPresentation;
}

function renderGroup(
  { newest, key, count, oldestId, senderIds }: NotificationGroupRow,
  { accounts, collectionById, subjects, presentation: { isList, supportedTypes } }: GroupContext,
): string {
  const { id, type, status_id, collection_id, created_at } = newest;
  const subject = subjects.get(id);
  const sender = accounts.get(senderIds[0] ?? newest.from_account_id);
  const fallback = buildFallback(type, sender?.acct ?? '', supportedTypes);
  const members = {
    type,
    ...(isList && { page_min_id: oldestId, page_max_id: id, latest_page_notification_at: created_at }),
    sample_account_ids: senderIds,
    ...(status_id !== null && { status_id }),
    ...(collection_id !== null && { collection: collectionById.get(collection_id) }),
    ...(fallback !== undefined && { fallback }),
  };
  const about = subject === undefined ? '' : `,"${subject.member}":${subject.json}`;
  // The id is a number in Mastodon's API, too large for a JavaScript number.
  return `{"group_key":${asciiJson([key]).slice(1, -1)},"notifications_count":${count},"most_recent_notification_id":${id}${about},${asciiJson(members).slice(1)}`;
}

function toPartialAccount(account: CachedAccount, media: MediaViewer): PartialAccountWithAvatar {
  const whole = toAccountText(account, media).parse();
  const { id, acct, url, avatar, avatar_static, avatar_description, locked, bot } = whole;
  return { id, acct, url, avatar, avatar_static, avatar_description, locked, bot };
}
