import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { listDays, presentDay, type Day } from '../days.ts';
import type { DayRange } from '../range.ts';
import type { Cohort } from '../schema.ts';
import type { CountKind } from '../tables.ts';

export type Frequency = Cohort['frequency'];

interface CohortRow {
  /** Day of the sign-up, or the first one of its month. */
  readonly period: Day;
  /** Day of the last activity, or the first one of its month; -infinity for users who were never active. */
  readonly last: Day;
  readonly users: number;
}

const cohortRows = preparedQuery<CohortRow>()((db, args: DayRange & { kind: CountKind }) => ({
  compile: () =>
    sql<CohortRow>`
      select key as period, day::text as last, value::int as users from daily_counts
      where kind = ${args.kind} and key between ${args.from} and ${args.to}`.compile(db),
}));

const startOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`;

/** Returns the first days of the days or months of a range. */
export const listPeriods = ({ from, to }: DayRange, frequency: Frequency): Day[] =>
  frequency === 'day'
    ? listDays(from, to)
    : listDays(startOfMonth(from), startOfMonth(to)).filter((day) => day.endsWith('-01'));

/** Returns for each period how many of the users who signed up in it were active in or after each later period. */
export async function loadRetention(app: App, range: DayRange, frequency: Frequency): Promise<Cohort[]> {
  const kind = frequency === 'day' ? 'user_cohorts' : 'user_month_cohorts';
  const from = frequency === 'day' ? range.from : startOfMonth(range.from);
  const byPeriod = Map.groupBy(await cohortRows(app, { kind, from, to: range.to }), ({ period }) => period);
  const periods = listPeriods(range, frequency);
  return periods.map((period, index) => ({
    period: presentDay(period),
    frequency,
    data: presentCohort(byPeriod.get(period) ?? [], periods.slice(index)),
  }));
}

function presentCohort(rows: readonly CohortRow[], periods: readonly Day[]): Cohort['data'] {
  const size = rows.reduce((sum, { users }) => sum + users, 0);
  // From the latest activity back, so that each row is added once.
  const latestFirst = rows.filter(({ last }) => last !== '-infinity').toSorted((a, b) => (a.last < b.last ? 1 : -1));
  let [retained, place] = [0, 0];
  const data = periods.toReversed().map((period) => {
    for (; place < latestFirst.length; place += 1) {
      const row = latestFirst[place];
      if (row === undefined || row.last < period) break;
      retained += row.users;
    }
    return { date: presentDay(period), rate: retained / Math.max(size, 1), value: String(retained) };
  });
  return data.toReversed();
}
