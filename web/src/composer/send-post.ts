import { request } from '../api/client.ts';
import type { ScheduledStatus, Status } from '../api/entities.ts';

/** A finished request for a post, a thread, a scheduled post or an edit. */
export interface PostRequest {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey: string;
}

/**
 * Sends a post, and returns what was created: one status, those of a thread in order, or a scheduled status. Another
 * attempt with the same key publishes nothing twice. Throws ApiError or OfflineError.
 */
export async function sendPost(post: PostRequest): Promise<readonly (Status | ScheduledStatus)[]> {
  const { method, path, body, idempotencyKey } = post;
  type Result = Status | ScheduledStatus | readonly Status[];
  const result = await request<Result>(method, path, { body, idempotencyKey });
  return Array.isArray(result) ? (result as readonly Status[]) : [result as Status | ScheduledStatus];
}
