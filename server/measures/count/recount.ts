import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { addDays, firstIdAfter, firstIdOf, startOfDay, toDay, type Day } from '../days.ts';
import { addRows, countDay } from './count-day.ts';
import { countUsers } from './count-users.ts';

/** Names of the rows of `recount_progress`. */
const pastDays = 'days';
const today = 'today';
/** Past days that a run counts until all days were counted once. */
const daysPerFirstRun = 600;
const marginMs = 10 * 60_000;
const hourMs = 3_600_000;
/** The days before today that histories of hashtags show. */
const recentDays = 6;

/**
 * Counts the rows since the last run. Once an hour it counts all users, and the whole current day again, with posts that
 * were deleted or arrived late, and shortly after midnight yesterday.
 */
export const recountToday: Schedule = {
  name: 'measures.count_today',
  pattern: '*/5 * * * *',
  async run(app) {
    const now = app.clock.now();
    const day = toDay(now);
    const yesterday = toDay(new Date(now.getTime() - marginMs));
    if (yesterday !== day) await countDay(app, yesterday);
    const countedTo = firstIdAfter(now);
    if (await countNewRows(app, now)) return;
    await countDay(app, day, countedTo);
    await countUsers(app);
    await transaction(app, (tx) => storeCountedTo(tx, day, countedTo));
  },
};

/** Returns false if the whole day is to be counted: nothing was counted in this hour. */
function countNewRows(app: App, now: Date): Promise<boolean> {
  const to = firstIdAfter(now);
  const startOfHour = new Date(now.getTime() - (now.getTime() % hourMs));
  return transaction(app, async (tx) => {
    // Another process may still be counting.
    const { rows } = await sql<{ from: string }>`
      select counted_to as from from recount_progress
      where name = ${today} and counted_to > ${firstIdAfter(startOfHour)}::bigint and counted_to <= ${to}::bigint
      for update`.execute(tx.db);
    const [progress] = rows;
    if (progress === undefined) return false;
    const day = toDay(now);
    await addRows(tx, { day, from: progress.from, to });
    await storeCountedTo(tx, day, to);
    return true;
  });
}

const storeCountedTo = ({ db }: Transaction, day: Day, countedTo: string): Promise<unknown> =>
  sql`
    insert into recount_progress (name, day, is_complete, counted_to) values (${today}, ${day}::date, false, ${countedTo}::bigint)
    on conflict (name) do update set day = excluded.day, counted_to = excluded.counted_to`.execute(db);

/**
 * Counts some past days again, from yesterday to the oldest one and then from the start: posts that were deleted or
 * arrived late change the counts of their day. The histories of hashtags show the last week, so each of its days is
 * counted every six hours.
 */
export const recountPast: Schedule = {
  name: 'measures.count_past',
  pattern: '2 * * * *',
  async run(app) {
    await countDay(app, recentDay(app.clock.now()));
    let { day, isComplete } = await loadProgress(app);
    const limit = isComplete ? 1 : daysPerFirstRun;
    for (let count = 0; count < limit; count += 1) {
      const next = await findDayBefore(app, day);
      if (next === undefined) {
        await storeProgress(app, { day: toDay(app.clock.now()), isComplete: true });
        return;
      }
      await countDay(app, next);
      day = next;
      await storeProgress(app, { day, isComplete });
    }
  },
};

/** Returns one of the six days before today. Each run of the schedule gets another one. */
function recentDay(now: Date): Day {
  const run = Math.floor(now.getTime() / hourMs);
  return addDays(toDay(now), -1 - (run % recentDays));
}

interface Progress {
  /** The day that was counted last. */
  readonly day: Day;
  readonly isComplete: boolean;
}

async function loadProgress(app: App): Promise<Progress> {
  const row = await app.db
    .selectFrom('recount_progress')
    .select([sql<Day>`day::text`.as('day'), 'is_complete'])
    .where('name', '=', pastDays)
    .executeTakeFirst();
  return { day: row?.day ?? toDay(app.clock.now()), isComplete: row?.is_complete ?? false };
}

const storeProgress = (app: App, { day, isComplete }: Progress): Promise<unknown> =>
  transaction(app, ({ db }) =>
    sql`
      insert into recount_progress (name, day, is_complete) values (${pastDays}, ${day}::date, ${isComplete})
      on conflict (name) do update set day = excluded.day, is_complete = excluded.is_complete`.execute(db),
  );

/** Returns the newest day before `day` with something to count, or with counts. Reads the ends of indexes. */
async function findDayBefore(app: App, day: Day): Promise<Day | undefined> {
  const before = firstIdOf(day);
  const { rows } = await sql<{ day: Day | null }>`
    select max(day)::text as day from (
      select to_timestamp(((greatest(
        (select max(id) from statuses where id < ${before}::bigint),
        (select max(id) from favourites where id < ${before}::bigint),
        (select max(id) from poll_votes where id < ${before}::bigint),
        (select max(id) from follows where id < ${before}::bigint),
        (select max(id) from accounts where id < ${before}::bigint),
        (select max(id) from media_attachments where id < ${before}::bigint),
        (select max(id) from reports where id < ${before}::bigint)
      ) >> 16) / 1000)::double precision) at time zone 'UTC'
      union all
      select (select max(action_taken_at) from reports where action_taken_at < ${startOfDay(day)}) at time zone 'UTC'
      union all
      select max(day) from tag_daily_uses where day < ${day}::date
      union all
      select max(counts.day) from unnest(array['accounts', 'followers', 'follows', 'interactions', 'media_bytes', 'reports',
        'resolved_reports', 'statuses']) kind(name)
      cross join lateral (
        select max(day) as day from daily_counts where daily_counts.kind = kind.name and day < ${day}::date
      ) counts
    ) days(day)`.execute(app.db);
  const found = rows[0]?.day?.slice(0, 10);
  return found === undefined || found < oldestDay ? undefined : found;
}

/** Ids of system rows, such as the instance actor, are small numbers: their day is that of the epoch. */
const oldestDay = addDays('1970-01-01', 1);
