import { invalidField } from '../platform/http/http-errors.ts';
import type { FieldName } from '../platform/i18n/field-label.ts';
import { parseTime } from '../text/times/index.ts';
import { addDays, countDays, toDay, type Day } from './days.ts';
import { maxDailyCohorts, maxRangeDays } from './limits.ts';

/** Days in UTC, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const maxValueLength = 40;

/** Returns the day of a time. Throws 422 that names the field if it is none. */
function parseDay(field: FieldName, text: string): Day {
  const date = parseTime(text);
  if (date === undefined) {
    throw invalidField(field, 'problems.notADate', { value: text.slice(0, maxValueLength) });
  }
  return toDay(date);
}

function parseOrderedDays(startAt: string, endAt: string): DayRange {
  const range = { from: parseDay('start_at', startAt), to: parseDay('end_at', endAt) };
  if (range.to < range.from) throw invalidField('end_at', 'problems.beforeStart');
  return range;
}

/** Returns the days from one time to another, at most the last two years of them. Throws 422 for invalid times. */
export function parseRange(startAt: string, endAt: string): DayRange {
  const { from, to } = parseOrderedDays(startAt, endAt);
  const oldest = addDays(to, 1 - maxRangeDays);
  return { from: from < oldest ? oldest : from, to };
}

/** Returns the days of sign-ups whose retention is shown. Throws 422 for invalid times, and for a range that is too long. */
export function parseCohortRange(startAt: string, endAt: string, frequency: 'day' | 'month'): DayRange {
  const range = parseOrderedDays(startAt, endAt);
  const max = frequency === 'day' ? maxDailyCohorts : maxRangeDays;
  if (countDays(range.from, range.to) > max) throw invalidField('end_at', 'problems.tooManyDaysAfterStart', { max });
  return range;
}

/** Returns the days of the same number before. */
export const previousRange = ({ from, to }: DayRange): DayRange => ({
  from: addDays(from, -countDays(from, to)),
  to: addDays(from, -1),
});
