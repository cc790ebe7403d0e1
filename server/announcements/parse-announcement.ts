import { unprocessable, validationFailed, invalidField } from '../platform/http/http-errors.ts';
import { cleanText, exceedsLimit } from '../text/index.ts';
import { parseTime } from '../text/times/index.ts';
import { expiryOf, type PublicationTimes } from './publication.ts';

/** Values of an announcement by staff. Missing ones keep their value, or get the default in a new announcement. */
export interface AnnouncementInput {
  readonly text?: string | undefined;
  /** ISO 8601, in UTC unless it has an offset; empty for none. The same goes for the other times. */
  readonly startsAt?: string | undefined;
  readonly endsAt?: string | undefined;
  /** The times are days. Needs a start and an end. */
  readonly allDay?: boolean | undefined;
  /** Not published before this time. */
  readonly scheduledAt?: string | undefined;
  /** False keeps it as a draft. Default true. */
  readonly published?: boolean | undefined;
}

/** Characters. */
const maxTextLength = 10_000;

const noTimes: PublicationTimes = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null, draft: false };

/** Returns the text without surrounding space. Throws 422 if it is blank or too long. */
export function parseAnnouncementText(text: string): string {
  const clean = cleanText(text).trim();
  if (clean === '') throw invalidField('text', 'problems.blank');
  if (exceedsLimit(clean, maxTextLength)) throw invalidField('text', 'problems.tooLong', { max: maxTextLength });
  return clean;
}

/**
 * Returns the times of an announcement after a change. Throws 422 for an invalid time, for `allDay` without start and end
 * (ANN-01), and for an end that is not after the start, or in the past.
 */
export function parseTimes(input: AnnouncementInput, now: Date, current: PublicationTimes = noTimes): PublicationTimes {
  const times: PublicationTimes = {
    starts_at: parseOptionalTime(input.startsAt, current.starts_at),
    ends_at: parseOptionalTime(input.endsAt, current.ends_at),
    all_day: input.allDay ?? current.all_day,
    scheduled_at: parseOptionalTime(input.scheduledAt, current.scheduled_at),
    draft: input.published === undefined ? current.draft : !input.published,
  };
  if (times.all_day && (times.starts_at === null || times.ends_at === null))
    throw validationFailed('announcements.allDayNeedsTimes');
  const expiry = expiryOf(times);
  if (expiry === undefined) return times;
  if (times.starts_at !== null && expiry <= times.starts_at) throw invalidField('ends_at', 'problems.beforeStart');
  const isEndNew = times.ends_at?.getTime() !== current.ends_at?.getTime();
  if (isEndNew && expiry <= now) throw invalidField('ends_at', 'problems.mustBeInFuture');
  return times;
}

function parseOptionalTime(text: string | undefined, current: Date | null): Date | null {
  if (text === undefined) return current;
  if (text.trim() === '') return null;
  const at = parseTime(text);
  if (at === undefined) throw unprocessable('http.invalidDate');
  return at;
}
