import type { App } from '../../platform/app.ts';
import { joinJsonList, type JsonText } from '../../platform/http/http-response.ts';
import type { CurrentUser } from '../../platform/http/routes.ts';
import type { StatusId } from '../../platform/ids.ts';
import { findOwnPendingPosts } from '../held/find-held-posts.ts';
import { presentAsStatus } from '../held/present-as-status.ts';
import { presentStatuses } from '../read/present-statuses.ts';
import type { Status } from '../schema.ts';

/** Presents the posts of a new thread to its author, also while they are held for review. */
export async function presentThread(
  app: App,
  viewer: CurrentUser,
  ids: readonly StatusId[],
): Promise<JsonText<Status[]>> {
  const statuses = await presentStatuses(app, viewer, ids);
  if (statuses.length > 0) return joinJsonList(statuses);
  const held = await findOwnPendingPosts(app, viewer.accountId, ids);
  return joinJsonList(await Promise.all(held.map((row) => presentAsStatus(app, row))));
}
