import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { idFromDate, type AccountId } from '../platform/ids.ts';
import { loadUserSettings } from '../users/settings/index.ts';
import type { IdRange } from './id-windows.ts';
import type { StatusQuery } from './parse-query.ts';
import { startOfDay } from './start-of-day.ts';

/** Milliseconds by which the time in a status's id may differ from `created_at`. */
const idToleranceMs = 86_400_000;
/** Ids are signed and have 48 bits for milliseconds. */
const maxIdMs = 2 ** 47 - 1;

/** The time that a query asks for. */
interface TimeRange {
  /** For the status `s`. */
  readonly conditions: readonly RawBuilder<unknown>[];
  /** Contains the ids of all statuses of that time. */
  readonly range: Partial<IdRange>;
}

/** Returns the time that a query asks for, in the time zone of the viewer. */
export async function loadTimeRange(app: App, viewerId: AccountId, { before, since }: StatusQuery): Promise<TimeRange> {
  if (before === undefined && since === undefined) return { conditions: [], range: {} };
  const { time_zone } = await loadUserSettings(app, viewerId);
  const end = before === undefined ? undefined : startOfDay(before, time_zone);
  const start = since === undefined ? undefined : startOfDay(since, time_zone);
  return {
    conditions: [
      ...(end === undefined ? [] : [sql`s.created_at < ${end}::timestamptz`]),
      ...(start === undefined ? [] : [sql`s.created_at >= ${start}::timestamptz`]),
    ],
    range: {
      ...(end !== undefined && { below: idBound(end.getTime() + idToleranceMs) }),
      ...(start !== undefined && { above: idBound(start.getTime() - idToleranceMs) }),
    },
  };
}

/** Returns the first id of a time; for a time outside the range of ids, the end of that range. */
const idBound = (ms: number): string => idFromDate(new Date(Math.min(Math.max(ms, 0), maxIdMs)));
