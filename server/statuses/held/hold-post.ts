import { sql } from 'kysely';
import { releaseReservedMedia, reserveMedia } from '../../media/attach/index.ts';
import { recordMatches, type Verdict } from '../../moderation-rules/matching/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { newId, type AccountId, type StatusId } from '../../platform/ids.ts';
import { htmlToText } from '../../text/index.ts';
import type { StatusParams } from '../post/compose-status.ts';
import { claimIdempotencyKeys } from '../post/idempotency-keys.ts';
import type { PreparedStatus } from '../post/insert-prepared-statuses.ts';
import type { RemoteStatus } from '../remote/store-remote-status.ts';
import { claimScheduledStatus } from '../schedule/scheduled-statuses.ts';
import type { HeldParams, HeldPreview } from '../tables.ts';
import { previewLocalPost, previewRemotePost } from './preview-post.ts';
import type { NewStatus } from '../post/insert-status.ts';

/** Pending posts of one account, and of one remote domain. */
const maxOfAccount = 100;
const maxOfDomain = 1_000;

/** A composed local post that a rule holds. */
export interface PostToHold extends Omit<PreparedStatus, 'post'> {
  readonly post: StatusParams;
  readonly verdict: Verdict;
}

/**
 * Holds a local post for review and returns the id of the held post, or what an earlier request with the same idempotency
 * key created. Its files are reserved. Throws 422 if too many posts of the author wait.
 */
export async function holdLocalPost(app: App, held: PostToHold): Promise<StatusId> {
  const { post, status, verdict, mediaIds } = held;
  const { idempotencyKey: key, scheduledId, ...requested } = post;
  const { id, accountId, contentType, visibility, sensitive, language, interactionPolicy, text } = status;
  return transaction(app, async (tx) => {
    if (scheduledId !== undefined) {
      await claimScheduledStatus(tx, app, scheduledId, id);
      await releaseReservedMedia(tx, app, scheduledId);
    }
    const [holder] = key === undefined ? [] : await claimIdempotencyKeys(tx, app, [{ accountId, key, statusId: id }]);
    if (holder !== undefined && holder !== id) return holder;
    if (!(await hasRoom(tx, { accountId, domain: null }))) throw validationFailed('heldPosts.tooMany');
    await reserveMedia(tx, app, { accountId, scheduledId: id, mediaIds });
    const values = { contentType, visibility, sensitive, interactionPolicy, language: language ?? undefined };
    await insertHeldPost(tx, app, {
      id,
      accountId,
      domain: null,
      uri: null,
      params: { local: { ...requested, ...values } },
      preview: previewLocalPost(held),
    });
    await recordMatches(tx, app, verdict, { type: 'held_post', id, accountId, text });
    return id;
  });
}

/**
 * Holds a remote post for review. A later version replaces one that still waits. Drops it if too many posts of the
 * author or of its domain wait.
 */
export async function holdRemotePost(
  app: App,
  {
    remote,
    status,
    domain,
    verdict,
  }: {
    readonly remote: RemoteStatus;
    readonly status: NewStatus;
    readonly domain: string | null;
    readonly verdict: Verdict;
  },
): Promise<void> {
  const { accountId, uri } = remote;
  const id = newId<'status'>(app.clock.now());
  await transaction(app, async (tx) => {
    if (!(await hasRoom(tx, { accountId, domain }))) {
      app.log.info({ uri }, 'dropped a post: too many wait for review');
      return;
    }
    const isNew = await insertHeldPost(tx, app, {
      id,
      accountId,
      domain,
      uri,
      params: { remote: { ...remote, content: status.content } },
      preview: previewRemotePost(remote, status),
    });
    if (!isNew) return;
    const text = `${status.spoilerText}\n${htmlToText(status.content)}`;
    await recordMatches(tx, app, verdict, { type: 'held_post', id, accountId, uri, text });
  });
}

/** Whether one more post may wait. Locks the account. */
async function hasRoom(
  { db }: Transaction,
  { accountId, domain }: { readonly accountId: AccountId; readonly domain: string | null },
): Promise<boolean> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ fits: boolean }>`
    select (select count(*) from (
        select from held_posts where account_id = ${accountId} and state = 'pending' limit ${maxOfAccount}) own)
        < ${maxOfAccount}
      and (select count(*) from (
        select from held_posts where domain = ${domain}::text and state = 'pending' limit ${maxOfDomain}) others)
        < ${maxOfDomain} as fits`.execute(db);
  return rows[0]?.fits === true;
}

/** Returns false if a post with this uri was held before. A later version of it replaces a pending one. */
async function insertHeldPost(
  { db }: Transaction,
  app: App,
  {
    id,
    accountId,
    domain,
    uri,
    params,
    preview,
  }: {
    readonly id: StatusId;
    readonly accountId: AccountId;
    readonly domain: string | null;
    readonly uri: string | null;
    readonly params: HeldParams;
    readonly preview: HeldPreview;
  },
): Promise<boolean> {
  const row = await db
    .insertInto('held_posts')
    .values({
      id,
      account_id: accountId,
      domain,
      uri,
      state: 'pending',
      params: JSON.stringify(params),
      preview: JSON.stringify(preview),
      status_id: null,
      created_at: app.clock.now(),
      decided_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('uri')
        .where('uri', 'is not', null)
        .doUpdateSet(({ ref }) => ({ params: ref('excluded.params'), preview: ref('excluded.preview') }))
        .where('held_posts.state', '=', 'pending')
        .where('held_posts.account_id', '=', accountId)
        .where(sql<boolean>`${'remote' in params && params.remote.updatedAt !== undefined}::boolean`),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id === id;
}
