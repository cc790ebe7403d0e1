import { sql } from 'kysely';
import { reserveMedia } from '../../media/attach/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { validationFailed, notFound, unprocessable } from '../../platform/http/http-errors.ts';
import { type AccountId, type AnyId, newId, type StatusId } from '../../platform/ids.ts';
import { findLanguage } from '../../text/languages/index.ts';
import { parseTime } from '../../text/times/index.ts';
import { loadUserSettings } from '../../users/settings/index.ts';
import { findStatusByIdempotencyKey, claimIdempotencyKeys } from '../post/idempotency-keys.ts';
import { validateStatusParams, composeStatus } from '../post/compose-status.ts';
import type { StatusParams } from '../post/status-params.ts';
import { screenLocalPost } from '../screening/screen-local-post.ts';
import { publishScheduled } from './publish-scheduled.ts';
import { writable, type ScheduledId, type ScheduledParams } from '../tables.ts';

/** reference/limits.tsv, area status. */
const minLeadTimeMs = 300_000;
const maxScheduledStatuses = 300;
const maxScheduledPerDay = 25;
const dayMs = 86_400_000;

/**
 * Parses the time of a scheduled status. Returns undefined for an empty text or a time in the past: post at once.
 * Throws 422 if invalid.
 */
export function parseScheduledAt(app: App, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const at = parseTimestamp(text);
  return at <= app.clock.now() ? undefined : at;
}

function parseTimestamp(text: string): Date {
  const at = parseTime(text);
  if (at === undefined) throw unprocessable('http.invalidDate');
  return at;
}

/**
 * Schedules a status and returns its id. A request that repeats an idempotency key within an hour gets the id of the first
 * one. Throws the errors of `postStatus`, and 422 for a time less than five minutes ahead or beyond the limits.
 */
export async function scheduleStatus(
  app: App,
  accountId: AccountId,
  post: StatusParams,
  at: Date,
): Promise<StatusId | ScheduledId> {
  const { idempotencyKey: key, scheduledId: _, ...requested } = post;
  const earlier = key === undefined ? undefined : await findStatusByIdempotencyKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  assertLeadTime(app, at);
  const { parts, poll } = await validateStatusParams(app, accountId, post);
  const status = await composeStatus(app, accountId, parts);
  // Once more when it is posted.
  await screenLocalPost(app, { status, formatted: parts.formatted, mediaIds: post.mediaIds ?? [], poll });
  const { default_quote_policy } = await loadUserSettings(app, accountId);
  // Both the id of the scheduled post and what its idempotency key names.
  const id: AnyId = newId(app.clock.now());
  return transaction(app, async (tx) => {
    const [holder] = key === undefined ? [] : await claimIdempotencyKeys(tx, app, [{ accountId, key, statusId: id }]);
    if (holder !== undefined && holder !== id) return holder;
    await assertScheduleLimits(tx, accountId, at);
    await reserveMedia(tx, app, { accountId, scheduledId: id, mediaIds: post.mediaIds ?? [] });
    const { contentType } = parts;
    const quotePolicy = requested.quotePolicy ?? default_quote_policy;
    const language = findLanguage(requested.language ?? '');
    const params = { ...requested, language, contentType, quotePolicy } as ScheduledParams;
    await writable(tx.db)
      .insertInto('scheduled_statuses')
      .values({
        id,
        account_id: accountId,
        scheduled_at: at,
        params: JSON.stringify(params),
        created_at: app.clock.now(),
      })
      .execute();
    enqueuePublish(tx, id, at);
    return id;
  });
}

/** Changes the time of a scheduled status. Throws 404 if it does not exist, 422 as `scheduleStatus`. */
export function rescheduleStatus(
  app: App,
  accountId: AccountId,
  id: ScheduledId,
  text: string | undefined,
): Promise<void> {
  return transaction(app, async (tx) => {
    await tx.db
      .selectFrom('scheduled_statuses')
      .select('scheduled_at')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound());
    if (text === undefined || text === '') return;
    const at = parseTimestamp(text);
    assertLeadTime(app, at);
    await assertScheduleLimits(tx, accountId, at, id);
    await writable(tx.db).updateTable('scheduled_statuses').set({ scheduled_at: at }).where('id', '=', id).execute();
    enqueuePublish(tx, id, at);
  });
}

function assertLeadTime(app: App, at: Date): void {
  if (at.getTime() - app.clock.now().getTime() < minLeadTimeMs) {
    throw validationFailed('statuses.scheduledTooSoon');
  }
}

/**
 * Throws 422 beyond the limits. Locks the account. `except`: a scheduled status to leave out, because it is
 * rescheduled.
 */
async function assertScheduleLimits({ db }: Transaction, accountId: AccountId, at: Date, except = '0'): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const from = new Date(Math.floor(at.getTime() / dayMs) * dayMs);
  const to = new Date(from.getTime() + dayMs);
  const { rows } = await sql<{ total: number; that_day: number }>`
    select count(*)::int as total,
      (count(*) filter (where scheduled_at >= ${from} and scheduled_at < ${to}))::int as that_day
    from scheduled_statuses where account_id = ${accountId} and id <> ${except}`.execute(db);
  const [{ total, that_day: thatDay } = { total: 0, that_day: 0 }] = rows;
  if (total >= maxScheduledStatuses) throw validationFailed('statuses.tooManyScheduled', { max: maxScheduledStatuses });
  if (thatDay >= maxScheduledPerDay)
    throw validationFailed('statuses.tooManyScheduledPerDay', { max: maxScheduledPerDay });
}

function enqueuePublish({ enqueue }: Transaction, scheduledId: ScheduledId, runAt: Date): void {
  enqueue(publishScheduled({ scheduledId }, { runAt }));
}
