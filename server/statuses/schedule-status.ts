import { sql } from 'kysely';
import { reserveMedia } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { write, type Write } from '../platform/database/write.ts';
import { invalid, notFound, unprocessable } from '../platform/http/problems.ts';
import { newId, type AccountId, type StatusId } from '../platform/ids.ts';
import { isLanguage } from '../text/index.ts';
import { userSettings } from '../users/index.ts';
import { statusOfKey, takeKeys } from './idempotency.ts';
import { checkPost, compose, type Post } from './compose-status.ts';
import { publishScheduled } from './publish-scheduled.ts';
import type { ScheduledId, ScheduledParams } from './tables.ts';

/** reference/limits.tsv, area status. */
const leastAhead = 300_000;
const mostInAll = 300;
const mostPerDay = 25;
const day = 86_400_000;

/**
 * Reads when something is to be posted; undefined for now, which is also what a moment in the past means. Throws 422 for
 * what is no moment.
 */
export function readScheduledAt(app: App, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const at = readMoment(text);
  return at <= app.clock.now() ? undefined : at;
}

function readMoment(text: string): Date {
  const at = new Date(text);
  const year = at.getUTCFullYear();
  if (Number.isNaN(year) || year > 9999) throw unprocessable('Invalid date supplied');
  return at;
}

/**
 * Stores what is to be posted at `at`, and gives its id; with an idempotency key of the last hour, the id of what the
 * first request made. Throws as `postStatus`, and 422 for less than five minutes ahead and beyond the limits.
 */
export async function scheduleStatus(
  app: App,
  accountId: AccountId,
  post: Post,
  at: Date,
): Promise<StatusId | ScheduledId> {
  const { idempotencyKey: key, scheduledId: _, ...wanted } = post;
  const earlier = key === undefined ? undefined : await statusOfKey(app, accountId, key);
  if (earlier !== undefined) return earlier;
  checkAhead(app, at);
  const { parts } = await checkPost(app, accountId, post);
  await compose(app, accountId, parts);
  const { default_quote_policy } = await userSettings(app, accountId);
  const id = newId<'scheduled'>(app.clock.now());
  return write(app, async (transaction) => {
    const asStatus = id as string as StatusId;
    const [holder] =
      key === undefined ? [] : await takeKeys(transaction, app, [{ accountId, key, statusId: asStatus }]);
    if (holder !== undefined && holder !== asStatus) return holder;
    await checkLimits(transaction, accountId, at);
    await reserveMedia(transaction, app, { accountId, scheduledId: id, mediaIds: post.mediaIds ?? [] });
    const { contentType } = parts;
    const quotePolicy = wanted.quotePolicy ?? default_quote_policy;
    const language = wanted.language !== undefined && isLanguage(wanted.language) ? wanted.language : undefined;
    const params = { ...wanted, language, contentType, quotePolicy } as ScheduledParams;
    await transaction.db
      .insertInto('scheduled_statuses')
      .values({
        id,
        account_id: accountId,
        scheduled_at: at,
        params: JSON.stringify(params),
        created_at: app.clock.now(),
      })
      .execute();
    publishAt(transaction, id, at);
    return id;
  });
}

/** Moves a scheduled status to another time; nothing else of it can change. 404 when there is none, 422 as above. */
export function moveScheduled(
  app: App,
  accountId: AccountId,
  id: ScheduledId,
  text: string | undefined,
): Promise<void> {
  return write(app, async (transaction) => {
    const row = await transaction.db
      .selectFrom('scheduled_statuses')
      .select('scheduled_at')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    if (text === undefined || text === '') return;
    const at = readMoment(text);
    checkAhead(app, at);
    await checkLimits(transaction, accountId, at, id);
    await transaction.db.updateTable('scheduled_statuses').set({ scheduled_at: at }).where('id', '=', id).execute();
    publishAt(transaction, id, at);
  });
}

function checkAhead(app: App, at: Date): void {
  if (at.getTime() - app.clock.now().getTime() < leastAhead) {
    throw invalid('Scheduled at must be at least five minutes ahead');
  }
}

/** Those who schedule for one account wait for each other here. `except`: not counted, it is being moved. */
async function checkLimits({ db }: Write, accountId: AccountId, at: Date, except = '0'): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const from = new Date(Math.floor(at.getTime() / day) * day);
  const to = new Date(from.getTime() + day);
  const { rows } = await sql<{ total: number; that_day: number }>`
    select count(*)::int as total,
      (count(*) filter (where scheduled_at >= ${from} and scheduled_at < ${to}))::int as that_day
    from scheduled_statuses where account_id = ${accountId} and id <> ${except}`.execute(db);
  const [{ total, that_day: thatDay } = { total: 0, that_day: 0 }] = rows;
  if (total >= mostInAll) throw invalid(`At most ${mostInAll} posts may be scheduled`);
  if (thatDay >= mostPerDay) throw invalid(`At most ${mostPerDay} posts may be scheduled for one day`);
}

function publishAt({ enqueue }: Write, scheduledId: ScheduledId, runAt: Date): void {
  enqueue(publishScheduled({ scheduledId }, { runAt }));
}
