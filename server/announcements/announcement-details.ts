import type { AuditDetails } from '../site/audit/index.ts';
import type { AnnouncementTables } from './tables.ts';

type DetailColumns = Pick<
  AnnouncementTables['announcements'],
  'text' | 'starts_at' | 'ends_at' | 'all_day' | 'scheduled_at' | 'draft'
>;

/** Returns what the audit log shows of an announcement. */
export const announcementDetails = ({
  text,
  starts_at: startsAt,
  ends_at: endsAt,
  all_day,
  scheduled_at: scheduledAt,
  draft,
}: DetailColumns): AuditDetails => ({
  text,
  starts_at: startsAt?.toISOString() ?? null,
  ends_at: endsAt?.toISOString() ?? null,
  all_day,
  scheduled_at: scheduledAt?.toISOString() ?? null,
  draft,
});
