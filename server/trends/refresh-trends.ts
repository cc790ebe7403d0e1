import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction, type Transaction } from '../platform/write/transaction.ts';
import type { Schedule } from '../platform/work/run-schedules.ts';
import { countFavourites, currentHour } from './count-uses.ts';
import { trendsChanged } from './events.ts';
import { prepareLinkReviews } from './prepare-link-reviews.ts';
import { expireProvidedTrends } from './provided-trends.ts';
import { writable, type TrendKind } from './tables.ts';
import { historyHours, trendRules } from './trend-rules.ts';

/** After this time, a lower peak replaces a higher one. */
const maxPeakAgeMs = 2 * 86_400_000;

/**
 * Computes the scores of what was used since the last run and lets the others decay. Reads the hourly uses only, never
 * all posts.
 */
export const refreshTrends: Schedule = {
  name: 'trend.refresh_trends',
  pattern: '*/5 * * * *',
  async run(app) {
    await countFavourites(app);
    for (const kind of ['tag', 'status', 'link'] as const) {
      await transaction(app, async (tx) => {
        await storePeaks(tx, app, kind);
        await decayScores(tx, app, kind);
        if (kind === 'link') await prepareLinkReviews(tx);
        tx.emit(trendsChanged({}));
      });
    }
    await transaction(app, async (tx) => {
      await expireProvidedTrends(tx, app);
      await writable(tx.db)
        .deleteFrom('trend_uses')
        .where('hour', '<=', currentHour(app) - historyHours)
        .execute();
    });
  },
};

/**
 * Stores how far the number of accounts exceeds the usual one: (recent - usual)² / usual. A trend has the score of its peak.
 */
async function storePeaks({ db }: Transaction, app: App, kind: TrendKind): Promise<void> {
  const { minAccounts, recentHours, subjects } = trendRules[kind];
  const now = app.clock.now();
  const hour = currentHour(app);
  const firstRecentHour = hour - recentHours + 1;
  await sql`
    with used as (
      select distinct subject_id from trend_uses where kind = ${kind} and hour >= ${hour - 1}
    ), counted as (
      select subject_id,
        count(distinct account_id) filter (where hour >= ${firstRecentHour}) as recent,
        greatest(count(distinct account_id) filter (where hour < ${firstRecentHour}), 1) as usual,
        mode() within group (order by language) filter (where hour >= ${firstRecentHour}) as language
      from trend_uses join used using (subject_id)
      where kind = ${kind} and hour > ${hour - historyHours}
      group by subject_id
    ), scored as (
      select subject_id, language, power(recent - usual, 2)::double precision / usual as peak
      from counted where recent >= ${minAccounts} and recent > usual
    )
    insert into trends (kind, subject_id, language, peak_score, peak_at, score)
    select ${kind}, scored.subject_id, coalesce(subject.language, scored.language), scored.peak,
      coalesce(subject.started_at, ${now}::timestamptz), scored.peak
    from scored join (${subjects}) subject on subject.id = scored.subject_id
    on conflict (kind, subject_id) do update set
      language = excluded.language, peak_score = excluded.peak_score, peak_at = excluded.peak_at
    where excluded.peak_score > trends.peak_score
      or trends.peak_at < ${new Date(now.getTime() - maxPeakAgeMs)}::timestamptz`.execute(db);
}

/** After so many half-lives no score matters; PostgreSQL reports an underflow after about a thousand. */
const maxHalvings = 100;

/** Halves the scores every half-life after the peak. Deletes what no longer trends. */
async function decayScores({ db }: Transaction, app: App, kind: TrendKind): Promise<void> {
  const { halfLifeMs, minScore, subjects } = trendRules[kind];
  await sql`
    update trends set score = peak_score * power(
      0.5::double precision,
      least(
        greatest(extract(epoch from ${app.clock.now()}::timestamptz - peak_at), 0)::double precision * 1000 / ${halfLifeMs}::int,
        ${maxHalvings}::int
      )
    )
    where kind = ${kind}`.execute(db);
  await sql`
    delete from trends
    where kind = ${kind} and (score < ${minScore}
      or not exists (select 1 from (${subjects}) subject where subject.id = trends.subject_id))`.execute(db);
}
