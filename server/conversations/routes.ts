import { Type } from 'typebox';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { del, get, post, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { deleteConversation } from './delete-conversations.ts';
import { listConversations } from './list-conversations.ts';
import { markConversation } from './mark-conversation.ts';
import { presentConversation, presentConversations } from './present-conversations.ts';
import { Conversation } from './schema.ts';

const limits = { defaultLimit: 20, maxLimit: 40 };
const params = Type.Object({ id: idSchema<'row'>() });
const writeAccess = { access: 'user', scope: 'write|write:conversations' } as const;

function markConversationRoute(path: string, summary: string, unread: boolean): Route {
  return post(path, {
    summary,
    ...writeAccess,
    params,
    response: Conversation,
    async handle({ app, viewer: { accountId }, params: { id } }) {
      const row = await markConversation(app, accountId, { id, unread });
      return presentConversation(app, accountId, row);
    },
  });
}

export const routes: Route[] = [
  get('/api/v1/conversations', {
    summary: 'List your conversations',
    access: 'user',
    scope: 'read|read:statuses',
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Conversation),
    async handle({ app, viewer: { accountId }, input, request }) {
      const page = parsePage(input, limits);
      const rows = await listConversations(app, accountId, page);
      const json = joinJsonList(await presentConversations(app, accountId, rows));
      const ends = { first: rows[0]?.last_status_id, last: rows.at(-1)?.last_status_id };
      return paginated(app, request, { json, ...ends, more: rows.length === page.limit });
    },
  }),
  del('/api/v1/conversations/:id', {
    summary: 'Remove a conversation from your list; its posts stay',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteConversation(app, viewer.accountId, id);
      return {};
    },
  }),
  markConversationRoute('/api/v1/conversations/:id/read', 'Mark a conversation as read', false),
  markConversationRoute('/api/v1/conversations/:id/unread', 'Mark a conversation as unread', true),
];
