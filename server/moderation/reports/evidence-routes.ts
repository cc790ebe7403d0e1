import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { listReportedStatuses } from './present-copies.ts';
import { addReportNote, deleteReportNote, listReportNotes } from './report-notes.ts';
import { ReportedStatus, ReportNote } from './schema.ts';

const readAccess = { access: 'staff:manage_reports', scope: 'admin:read|admin:read:reports' } as const;
const writeAccess = { access: 'staff:manage_reports', scope: 'admin:write|admin:write:reports' } as const;
const limits = { defaultLimit: 100, maxLimit: 200 };
const params = Type.Object({ id: idSchema<'report'>() });
const noteParams = Type.Object({ id: idSchema<'report'>(), note_id: idSchema<'report-note'>() });

/** Evidence and notes of reports; Mastodon has no API for them. */
export const reportEvidenceRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/reports/:id/statuses', {
    summary: 'List the posts of a report as they were when they were reported',
    ...readAccess,
    params,
    response: Type.Array(ReportedStatus),
    handle: ({ app, params: { id } }) => listReportedStatuses(app, id),
  }),
  get('/api/v1/fieldfare/admin/reports/:id/notes', {
    summary: 'List the notes of staff about a report, latest first',
    ...readAccess,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(ReportNote),
    async handle({ app, params: { id }, input, request }) {
      const { notes, ...ends } = await listReportNotes(app, parsePage(input, limits), id);
      return paginated(app, request, { json: notes, ...ends });
    },
  }),
  post('/api/v1/fieldfare/admin/reports/:id/notes', {
    summary: 'Add a note to a report',
    ...writeAccess,
    params,
    input: Type.Object({ content: Type.Optional(Type.String({ description: 'At most 2000 characters' })) }),
    response: ReportNote,
    handle: ({ app, viewer, params: { id }, input: { content = '' } }) =>
      addReportNote(app, viewer.accountId, { reportId: id, content }),
  }),
  del('/api/v1/fieldfare/admin/reports/:id/notes/:note_id', {
    summary: 'Delete a note about a report',
    ...writeAccess,
    params: noteParams,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id, note_id: noteId } }) {
      await deleteReportNote(app, viewer.accountId, { reportId: id, noteId });
      return {};
    },
  }),
];
