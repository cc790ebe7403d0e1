import { createNote } from '../../../server/moderation/notes/change-notes.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const path = '/api/v1/fieldfare/admin/accounts/:id/notes';

const ofSubject = async (server: TestServer): Promise<string> => path.replace(':id', (await server.user('subject')).id);

export const noteScenarios: StaffScenarios = {
  [`GET ${path}`]: async (server) => ({ path: await ofSubject(server) }),
  [`POST ${path}`]: async (server) => ({ path: await ofSubject(server), body: { content: 'Seen before' } }),
  'DELETE /api/v1/fieldfare/admin/account_notes/:id': async (server) => {
    const { id: accountId } = await server.user('subject');
    const { id } = await createNote(server.app, 'system', { accountId, content: 'Seen before' });
    return { path: `/api/v1/fieldfare/admin/account_notes/${id}` };
  },
};
