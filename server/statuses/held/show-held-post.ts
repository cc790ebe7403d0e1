import type { App } from '../../platform/app.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { presentStatus, type Viewer } from '../read/present-statuses.ts';
import type { Status } from '../schema.ts';
import { findOwnHeldPost } from './find-held-posts.ts';
import { presentAsStatus } from './present-as-status.ts';

/**
 * Returns a held post as a status for its author, or the post as which it was published. Rethrows `error`, with which the
 * status was not found, for everyone else and after a rejection.
 */
export async function showHeldPost(app: App, viewer: Viewer, id: StatusId, error: unknown): Promise<JsonText<Status>> {
  if (viewer === undefined || !(error instanceof HttpError) || error.status !== 404) throw error;
  const held = await findOwnHeldPost(app, viewer.accountId, id);
  if (held?.state === 'pending') return presentAsStatus(app, held);
  if (held?.status_id == null) throw error;
  return presentStatus(app, viewer, held.status_id);
}
