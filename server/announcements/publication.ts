import type { AnnouncementTables } from './tables.ts';

/** The times that decide when an announcement is visible. */
export type PublicationTimes = Pick<
  AnnouncementTables['announcements'],
  'starts_at' | 'ends_at' | 'all_day' | 'scheduled_at' | 'draft'
>;

export interface Publication {
  readonly isPublished: boolean;
  /** When it changes by itself. */
  readonly changesAt: Date | undefined;
}

const dayMs = 86_400_000;

/** Returns when an announcement expires: at its end, or after the last day (in UTC) if it is for whole days. */
export function expiryOf({ ends_at: endsAt, all_day: allDay }: PublicationTimes): Date | undefined {
  if (endsAt === null) return undefined;
  return allDay ? new Date((Math.floor(endsAt.getTime() / dayMs) + 1) * dayMs) : endsAt;
}

/** Returns whether an announcement is visible at a time: from its start on, and until it expires (ANN-01). */
export function publicationAt(times: PublicationTimes, now: Date): Publication {
  const expiry = expiryOf(times);
  if (times.draft || (expiry !== undefined && expiry <= now)) return { isPublished: false, changesAt: undefined };
  const waits = [times.scheduled_at, times.starts_at].filter((time) => time !== null).filter((time) => time > now);
  const start = waits.toSorted((a, b) => b.getTime() - a.getTime())[0];
  return start === undefined ? { isPublished: true, changesAt: expiry } : { isPublished: false, changesAt: start };
}
