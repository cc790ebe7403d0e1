import type { App } from '../platform/app.ts';
import type { AccountId, ApplicationId, StatusId } from '../platform/ids.ts';
import { findThreadByIdempotencyKey } from '../statuses/post/index.ts';
import { publishThread } from '../statuses/thread/index.ts';
import { takeDraft, type DraftVersion } from './delete-draft.ts';
import { requireDraft } from './find-drafts.ts';

interface PublishOptions extends DraftVersion {
  readonly applicationId: ApplicationId | undefined;
  readonly idempotencyKey: string | undefined;
}

/**
 * Publishes the posts of a draft, deletes the draft, and returns the ids of the posts. A draft is published once. Throws
 * 404 if it does not exist, 409 if it was changed meanwhile, and the errors of `publishThread`.
 */
export async function publishDraft(
  app: App,
  accountId: AccountId,
  { id, version, applicationId, idempotencyKey: key }: PublishOptions,
): Promise<readonly StatusId[]> {
  const earlier = key === undefined ? undefined : await findThreadByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  const draft = await requireDraft(app, accountId, id);
  return publishThread(app, accountId, {
    posts: draft.posts,
    inReplyToId: draft.in_reply_to_id ?? undefined,
    applicationId,
    idempotencyKey: key,
    claim: (tx) => takeDraft(tx, app, accountId, { id, version: version ?? draft.version }),
  });
}
