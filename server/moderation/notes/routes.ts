import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { createNote, deleteNote } from './change-notes.ts';
import { listNotes } from './list-notes.ts';
import { ModerationNote } from './schema.ts';

const access = 'staff:manage_users|manage_reports';
const limits = { defaultLimit: 40, maxLimit: 80 };
const params = Type.Object({ id: idSchema<'account'>() });

/** Notes of staff about accounts; Mastodon has no API for them. */
export const noteRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/accounts/:id/notes', {
    summary: 'List notes of staff about an account, newest first',
    access,
    scope: 'admin:read|admin:read:accounts',
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(ModerationNote),
    async handle({ app, request, params: { id }, input }) {
      const { notes, ...ends } = await listNotes(app, id, parsePage(input, limits));
      return paginated(app, request, { json: notes, ...ends });
    },
  }),
  post('/api/v1/fieldfare/admin/accounts/:id/notes', {
    summary: 'Add a note about an account, for staff only',
    access,
    scope: 'admin:write|admin:write:accounts',
    params,
    input: Type.Object({ content: Type.String({ description: 'At most 2000 characters' }) }),
    response: ModerationNote,
    handle: ({ app, viewer, params: { id }, input: { content } }) =>
      createNote(app, viewer.accountId, { accountId: id, content }),
  }),
  del('/api/v1/fieldfare/admin/account_notes/:id', {
    summary: 'Delete a note about an account',
    access,
    scope: 'admin:write|admin:write:accounts',
    params: Type.Object({ id: idSchema<'moderation-note'>() }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteNote(app, viewer.accountId, id);
      return {};
    },
  }),
];
