import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { addDays, listDays, presentDay, type Day } from '../days.ts';
import type { DayRange } from '../range.ts';
import type { Cohort } from '../schema.ts';

export type Frequency = Cohort['frequency'];

interface CohortRow {
  /** First day of the period of the sign-up. */
  readonly period: Day;
  /** First day of the period of the last activity; -infinity for users who were never active. */
  readonly last: Day;
  readonly users: number;
}

const cohortRows = preparedQuery<CohortRow>()((db, args: DayRange & { frequency: Frequency }) => ({
  compile: () =>
    sql<CohortRow>`
      select date_trunc(${args.frequency}, key::date::timestamp)::date::text as period,
        date_trunc(${args.frequency}, day::timestamp)::date::text as last, sum(value)::int as users
      from daily_counts
      where kind = 'user_cohorts' and key between ${args.from} and ${args.to}
      group by 1, 2`.compile(db),
}));

const startOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`;
const endOfMonth = (day: Day): Day => addDays(startOfMonth(addDays(startOfMonth(day), 31)), -1);

/** Returns the first days of the days or months of a range. */
export const listPeriods = ({ from, to }: DayRange, frequency: Frequency): Day[] =>
  frequency === 'day'
    ? listDays(from, to)
    : listDays(startOfMonth(from), startOfMonth(to)).filter((day) => day.endsWith('-01'));

/** Returns for each period how many of the users who signed up in it were active in or after each later period. */
export async function loadRetention(app: App, range: DayRange, frequency: Frequency): Promise<Cohort[]> {
  const { from, to } = range;
  const days = frequency === 'day' ? range : { from: startOfMonth(from), to: endOfMonth(to) };
  const byPeriod = Map.groupBy(await cohortRows(app, { ...days, frequency }), ({ period }) => period);
  const periods = listPeriods(range, frequency);
  return periods.map((period, index) => ({
    period: presentDay(period),
    frequency,
    data: presentCohort(byPeriod.get(period) ?? [], periods.slice(index)),
  }));
}

function presentCohort(rows: readonly CohortRow[], periods: readonly Day[]): Cohort['data'] {
  const size = sumOf(rows);
  return periods.map((period) => {
    const retained = sumOf(rows.filter(({ last }) => last !== '-infinity' && last >= period));
    return { date: presentDay(period), rate: retained / Math.max(size, 1), value: String(retained) };
  });
}

const sumOf = (rows: readonly CohortRow[]): number => rows.reduce((sum, { users }) => sum + users, 0);
