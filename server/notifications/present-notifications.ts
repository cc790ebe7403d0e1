import { loadCachedAccounts, renderAccountInto } from '../accounts/present/index.ts';
import { presentCollections } from '../collections/read/index.ts';
import { mediaViewerOf } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { presentStatusesById } from '../statuses/read/index.ts';
import { buildFallback } from './fallback.ts';
import type { NotificationRow } from './list-notifications.ts';
import type { Notification } from './schema.ts';
import { presentSubjects } from './subjects.ts';

/**
 * Presents notifications in order, without those whose account or subject no longer exists. `supported`: the types that
 * the client says it supports.
 */
export async function presentNotifications(
  app: App,
  viewer: CurrentUser,
  rows: readonly NotificationRow[],
  supported?: readonly string[],
): Promise<JsonText<Notification>[]> {
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))];
  const collectionIds = [...new Set(rows.flatMap((row) => row.collection_id ?? []))];
  const [accounts, statuses, collections, subjects] = await Promise.all([
    loadCachedAccounts(app, [...new Set(rows.map((row) => row.from_account_id))]),
    presentStatusesById(app, viewer, statusIds),
    presentCollections(app, viewer, collectionIds),
    presentSubjects(app, viewer, rows),
  ]);
  const media = mediaViewerOf(viewer);
  const collectionById = new Map(collections.map((collection) => [collection.id, collection]));
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id);
    const status = row.status_id === null ? undefined : statuses.get(row.status_id);
    if (account === undefined || (row.status_id !== null && status === undefined)) return [];
    const collection = row.collection_id === null ? undefined : collectionById.get(row.collection_id);
    if (row.collection_id !== null && collection === undefined) return [];
    const subject = subjects.get(row.id);
    if (row.subject_id !== null && subject === undefined) return [];
    const { id, type } = row;
    const groupKey = row.group_key ?? `ungrouped-${id}`;
    const fallback = buildFallback(type, account.acct, supported);
    const json = [
      `{"id":"${id}","type":${JSON.stringify(type)},"group_key":"${groupKey}","created_at":"${row.created_at.toISOString()}","account":`,
    ];
    renderAccountInto(json, account, media);
    if (collection !== undefined) json.push(`,"collection":${JSON.stringify(collection)}`);
    else if (status !== undefined) json.push(',"status":', ...status.fragments);
    if (subject !== undefined) json.push(`,"${subject.member}":${subject.json}`);
    if (row.filtered) json.push(',"filtered":true');
    if (fallback !== undefined) json.push(`,"fallback":${asciiJson(fallback)}`);
    json.push('}');
    return new JsonText<Notification>(json);
  });
}

/** Presents one notification. Throws 404 if its account or subject no longer exists. */
export async function presentNotification(
  app: App,
  viewer: CurrentUser,
  row: NotificationRow,
  supported?: readonly string[],
): Promise<JsonText<Notification>> {
  const [notification] = await presentNotifications(app, viewer, [row], supported);
  if (notification === undefined) throw notFound();
  return notification;
}
