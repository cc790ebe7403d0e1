import { findModeratedReports } from '../groups/index.ts';
import { presentWarnings } from '../moderation/warnings/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import type { AnyId, NotificationId } from '../platform/ids.ts';
import { presentReportsById } from '../reports/index.ts';
import { hasPermission } from '../users/access/index.ts';
import { presentSeverances } from '../relationships/severances/index.ts';
import type { NotificationRow } from './list-notifications.ts';

type SubjectRow = Pick<NotificationRow, 'id' | 'type' | 'subject_id'>;

/** What a notification is about, other than a status or a collection. */
export interface Subject {
  /** The member of the notification that shows it. */
  readonly member: 'event' | 'moderation_warning' | 'report';
  readonly json: string;
}

interface SubjectKind {
  readonly member: Subject['member'];
  readonly present: (
    app: App,
    viewer: CurrentUser,
    ids: AnyId[],
  ) => Promise<ReadonlyMap<string, object | JsonText<object>>>;
}

/** By the type of the notification. */
const kinds: Readonly<Record<string, SubjectKind>> = {
  severed_relationships: {
    member: 'event',
    present: (app, _viewer, ids) => presentSeverances(app, ids),
  },
  'admin.report': {
    member: 'report',
    // A former staff member no longer sees reports, but those about groups that they moderate.
    present: async (app, viewer, ids) => {
      const isStaff = hasPermission(viewer, 'manage_reports');
      const permitted = isStaff ? undefined : await findModeratedReports(app, viewer.accountId, ids);
      return presentReportsById(
        app,
        viewer,
        ids.filter((id) => permitted?.has(id) !== false),
      );
    },
  },
  moderation_warning: {
    member: 'moderation_warning',
    present: (app, viewer, ids) => presentWarnings(app, viewer, ids),
  },
};

/** Presents what notifications are about, by their ids. Subjects that no longer exist are left out. */
export async function presentSubjects(
  app: App,
  viewer: CurrentUser,
  rows: readonly SubjectRow[],
): Promise<Map<NotificationId, Subject>> {
  const subjects = new Map<NotificationId, Subject>();
  if (rows.every((row) => row.subject_id === null)) return subjects;
  await Promise.all(
    Object.entries(kinds).map(async ([type, { member, present }]) => {
      const about = rows.flatMap((row) =>
        row.type === type && row.subject_id !== null ? [[row.id, row.subject_id] as const] : [],
      );
      if (about.length === 0) return;
      const values = await present(
        app,
        viewer,
        about.map(([, subjectId]) => subjectId),
      );
      for (const [id, subjectId] of about) {
        const value = values.get(subjectId);
        if (value === undefined) continue;
        subjects.set(id, { member, json: value instanceof JsonText ? value.text : asciiJson(value) });
      }
    }),
  );
  return subjects;
}
