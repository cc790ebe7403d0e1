import { Type } from 'typebox';
import { Account } from '../accounts/index.ts';
import { requireAccount } from '../accounts/find/index.ts';
import { presentAccountsFor } from '../relationships/read/index.ts';
import { joinJsonList } from '../platform/http/http-response.ts';
import { pageInput, paginated, parsePage } from '../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { addToList } from './add-to-list.ts';
import { createList } from './create-list.ts';
import { deleteList } from './delete-list.ts';
import { listLists, listListsWithMember, requireList } from './find-lists.ts';
import { listMembers } from './list-members.ts';
import { removeFromList } from './remove-from-list.ts';
import { List, RepliesPolicy } from './schema.ts';
import { updateList } from './update-list.ts';

const limits = { defaultLimit: 40, maxLimit: 80 };
const allMembersPage = { limit: 2_147_483_647, maxId: undefined, sinceId: undefined, minId: undefined };

const params = Type.Object({ id: idSchema<'list'>() });
const readAccess = { access: 'user', scope: 'read|read:lists' } as const;
const writeAccess = { access: 'user', scope: 'write|write:lists' } as const;

const properties = Type.Object({
  title: Type.Optional(Type.String()),
  replies_policy: Type.Optional(RepliesPolicy),
  exclusive: Type.Optional(Type.Boolean()),
});
const members = Type.Object({ account_ids: Type.Optional(Type.Array(idSchema<'account'>())) });
const emptyObject = Type.Object({});

export const routes: Route[] = [
  get('/api/v1/lists', {
    summary: "List the viewer's lists",
    hasEtag: true,
    ...readAccess,
    response: Type.Array(List),
    handle: ({ app, viewer }) => listLists(app, viewer.accountId),
  }),
  get('/api/v1/lists/:id', {
    summary: 'Show a list',
    hasEtag: true,
    ...readAccess,
    params,
    response: List,
    handle: ({ app, viewer, params: { id } }) => requireList(app, viewer.accountId, id),
  }),
  post('/api/v1/lists', {
    summary: 'Create a list',
    ...writeAccess,
    input: properties,
    response: List,
    handle: ({ app, viewer, input: { replies_policy: repliesPolicy, ...rest } }) =>
      createList(app, viewer.accountId, { ...rest, repliesPolicy }),
  }),
  put('/api/v1/lists/:id', {
    summary: 'Update the given properties of a list',
    ...writeAccess,
    params,
    input: properties,
    response: List,
    handle: ({ app, viewer, params: { id }, input: { replies_policy: repliesPolicy, ...rest } }) =>
      updateList(app, viewer.accountId, id, { ...rest, repliesPolicy }),
  }),
  del('/api/v1/lists/:id', {
    summary: 'Delete a list',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await deleteList(app, viewer.accountId, id);
      return {};
    },
  }),
  get('/api/v1/lists/:id/accounts', {
    summary: 'List the accounts of a list; all of them with limit=0',
    ...readAccess,
    params,
    input: Type.Object(pageInput(limits)),
    response: Type.Array(Account),
    async handle({ app, viewer, params: { id }, input, request }) {
      await requireList(app, viewer.accountId, id);
      const page = input.limit === 0 ? allMembersPage : parsePage(input, limits);
      const rows = await listMembers(app, id, page);
      const json = joinJsonList(
        await presentAccountsFor(
          app,
          viewer,
          rows.map(({ accountId }) => accountId),
        ),
      );
      if (page === allMembersPage) return json;
      const ends = { first: rows[0]?.id, last: rows.at(-1)?.id, more: rows.length === page.limit };
      return paginated(app, request, { json, ...ends, newer: 'since_id' });
    },
  }),
  post('/api/v1/lists/:id/accounts', {
    summary: 'Add accounts to a list',
    ...writeAccess,
    params,
    input: members,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input: { account_ids: memberIds = [] } }) {
      await addToList(app, { accountId: viewer.accountId, listId: id, memberIds });
      return {};
    },
  }),
  del('/api/v1/lists/:id/accounts', {
    summary: 'Remove accounts from a list',
    ...writeAccess,
    params,
    input: members,
    response: emptyObject,
    async handle({ app, viewer, params: { id }, input: { account_ids: memberIds = [] } }) {
      await removeFromList(app, { accountId: viewer.accountId, listId: id, memberIds });
      return {};
    },
  }),
  get('/api/v1/accounts/:id/lists', {
    summary: "List the viewer's lists that include an account",
    ...readAccess,
    params: Type.Object({ id: idSchema<'account'>() }),
    response: Type.Array(List),
    async handle({ app, viewer, params: { id } }) {
      await requireAccount(app, id);
      return listListsWithMember(app, viewer.accountId, id);
    },
  }),
];
