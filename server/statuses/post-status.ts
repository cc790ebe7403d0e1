import { claimMedia } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { defineCrowdWrite } from '../platform/database/crowd-write.ts';
import type { Write } from '../platform/database/write.ts';
import { compareIds, type AccountId, type StatusId, type TagId } from '../platform/ids.ts';
import { createPoll, type WantedPoll } from '../polls/index.ts';
import { insertQuote } from '../quotes/index.ts';
import { ensureTags } from '../tags/index.ts';
import { normalizeTag } from '../text/index.ts';
import { checkPost, compose, type Post } from './compose-status.ts';
import { mentionsLeftOpen, statusPosted } from './events.ts';
import { statusOfKey, takeKeys } from './idempotency.ts';
import { insertStatuses, type NewStatus } from './insert-status.ts';
import { cacheUntouched } from './overlays.ts';
import { holdQuotable, newQuote, notQuotable } from './quote-status.ts';
import type { PostedText } from './read-post.ts';
import { takeScheduled } from './scheduled-statuses.ts';
import type { StatusBody } from './status-bodies.ts';

/**
 * Posts a status of a local account, and gives its id; with an idempotency key of the last hour, the id that the first
 * request got. Throws 422 for what cannot be posted, 404 when the status to answer or to quote is not there for the
 * author.
 */
export async function postStatus(app: App, accountId: AccountId, post: Post): Promise<StatusId> {
  const key = post.idempotencyKey;
  const earlier = key === undefined ? undefined : await statusOfKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  const mediaIds = post.mediaIds ?? [];
  const { parts, poll } = await checkPost(app, accountId, post);
  const status = await compose(app, accountId, parts);
  const id = await storePost(app, { post, status, posted: parts.posted, quoted: parts.quoted, mediaIds, poll });
  if (id === status.id && status.inReplyToId === null) cacheUntouched(app, accountId, id);
  return id;
}

/** A post that was read and checked, to be stored. */
interface Composed {
  readonly post: Post;
  readonly status: NewStatus;
  readonly posted: PostedText;
  readonly quoted: StatusBody | undefined;
  readonly mediaIds: readonly string[];
  readonly poll: WantedPoll | undefined;
}

/** Gives for each the id of its status, or of the one that its key had made. */
const storePost = defineCrowdWrite(async (write: Write, app: App, posts: readonly Composed[]) => {
  for (const { post, status } of posts) {
    if (post.scheduledId !== undefined) await takeScheduled(write, app, post.scheduledId, status.id);
  }
  const holders = await statusesOfKeys(write, app, posts);
  const ids = posts.map((composed) => holders.get(composed) ?? composed.status.id);
  const fresh = posts.filter(({ status }, at) => ids[at] === status.id);
  if (fresh.length === 0) return ids;
  const stored = await insertStatuses(write, await withBelongings(write, app, fresh));
  for (const { status, posted } of fresh) {
    if (!stored.has(status.id)) throw new Error(`${status.uri} is taken`);
    announce(write, status, posted);
  }
  for (const { status, quoted } of quoting(fresh)) {
    if (!(await holdQuotable(write, status.accountId, quoted))) throw notQuotable();
    await insertQuote(write, app, newQuote(status.id, status.accountId, quoted));
  }
  return ids;
});

/** Those that quote, in the order of what they quote: each counts there. */
function quoting(posts: readonly Composed[]) {
  return posts
    .flatMap(({ status, quoted }) => (quoted === undefined ? [] : [{ status, quoted }]))
    .toSorted((one, other) => compareIds(one.quoted.id, other.quoted.id));
}

/** For those with a key, what it stands for now: their own status, or that of the request that took it first. */
async function statusesOfKeys(
  write: Write,
  app: App,
  posts: readonly Composed[],
): Promise<ReadonlyMap<Composed, StatusId>> {
  const keyed = posts.flatMap((composed) => {
    const { post, status } = composed;
    const { idempotencyKey: key } = post;
    return key === undefined ? [] : [{ composed, request: { accountId: status.accountId, key, statusId: status.id } }];
  });
  const ids = await takeKeys(
    write,
    app,
    keyed.map(({ request }) => request),
  );
  return new Map(keyed.map(({ composed }, at) => [composed, ids[at] as StatusId]));
}

/** The statuses with their tags, files and polls, which are made or claimed here. */
async function withBelongings(write: Write, app: App, posts: readonly Composed[]): Promise<NewStatus[]> {
  const names = posts.flatMap(({ posted }) => posted.tagNames);
  const tags = names.length === 0 ? new Map<string, TagId>() : await ensureTags(write, names, app.clock.now());
  const whole: NewStatus[] = [];
  for (const { post, status, posted, mediaIds, poll } of posts) {
    const { id: statusId, accountId } = status;
    const media = await claimMedia(write, app, { accountId, statusId, mediaIds, scheduledId: post.scheduledId });
    const pollId = poll === undefined ? null : await createPoll(write, app, { accountId, statusId, poll });
    const tagIds = [...new Set(posted.tagNames.flatMap((name) => tags.get(normalizeTag(name)) ?? []))];
    whole.push({ ...status, mediaIds: media.map(({ id }) => id), pollId, tagIds });
  }
  return whole;
}

function announce(write: Write, status: NewStatus, posted: PostedText): void {
  const { id: statusId, accountId } = status;
  write.emit(statusPosted({ statusId, accountId, local: true, direct: status.visibility === 'direct' }));
  if (posted.openHandles.length === 0) return;
  write.emit(mentionsLeftOpen({ statusId, accountId, handles: [...posted.openHandles] }));
}
