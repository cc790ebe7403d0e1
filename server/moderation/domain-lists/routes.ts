import { Type } from 'typebox';
import { pageEnds } from '../../platform/database/paged-query.ts';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { applyList } from './apply-list.ts';
import { addList, refreshList, removeList, setException, updateList } from './change-lists.ts';
import { listChanges, pageOfLists, presentList, requireList } from './find-lists.ts';
import { DomainList, DomainListChange } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 100 };
const params = Type.Object({ id: idSchema<'domain-list'>() });
const accessTo = (verb: 'read' | 'write') =>
  ({ access: 'staff:manage_federation', scope: `admin:${verb}|admin:${verb}:domain_blocks` }) as const;
const exception = Type.Object({ domain: Type.String() });

/** Subscriptions to lists of domain blocks that others maintain. */
export const domainListRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/domain_lists', {
    summary: 'List the subscribed lists of domain blocks, newest first',
    ...accessTo('read'),
    input: Type.Object(pageInput(limits)),
    response: Type.Array(DomainList),
    async handle({ app, input, request }) {
      const page = parsePage(input, limits);
      const rows = await pageOfLists(app, page, {});
      return paginated(app, request, { json: rows.map(presentList), ...pageEnds(page, rows) });
    },
  }),
  post('/api/v1/fieldfare/admin/domain_lists', {
    summary: 'Subscribe to a list of domain blocks, a CSV file in the format of Mastodon',
    ...accessTo('write'),
    input: Type.Object({ url: Type.String(), automatic: Type.Optional(Type.Boolean()) }),
    response: DomainList,
    handle: async ({ app, viewer, input }) => presentList(await addList(app, viewer.accountId, input)),
  }),
  get('/api/v1/fieldfare/admin/domain_lists/:id', {
    summary: 'Show a list of domain blocks',
    ...accessTo('read'),
    params,
    response: DomainList,
    handle: async ({ app, params: { id } }) => presentList(await requireList(app, id)),
  }),
  put('/api/v1/fieldfare/admin/domain_lists/:id', {
    summary: 'Set whether a list is applied without staff',
    ...accessTo('write'),
    params,
    input: Type.Object({ automatic: Type.Boolean() }),
    response: DomainList,
    handle: async ({ app, viewer, params: { id }, input }) =>
      presentList(await updateList(app, viewer.accountId, id, input)),
  }),
  del('/api/v1/fieldfare/admin/domain_lists/:id', {
    summary: 'End the subscription to a list of domain blocks',
    ...accessTo('write'),
    params,
    input: Type.Object({
      undo: Type.Optional(Type.Boolean({ description: 'Also removes the blocks that the list created' })),
    }),
    response: Type.Object({}),
    async handle({ app, viewer, params: { id }, input: { undo } }) {
      await removeList(app, viewer.accountId, id, undo);
      return {};
    },
  }),
  get('/api/v1/fieldfare/admin/domain_lists/:id/changes', {
    summary: 'List what a list of domain blocks would change, and what it would not because of staff',
    ...accessTo('read'),
    params,
    response: Type.Array(DomainListChange),
    handle: ({ app, params: { id } }) => listChanges(app, id),
  }),
  post('/api/v1/fieldfare/admin/domain_lists/:id/apply', {
    summary: 'Apply the changes of a list of domain blocks',
    ...accessTo('write'),
    params,
    response: Type.Object({ applied: Type.Integer() }),
    handle: async ({ app, viewer, params: { id } }) => ({ applied: await applyList(app, viewer.accountId, id) }),
  }),
  post('/api/v1/fieldfare/admin/domain_lists/:id/fetch', {
    summary: 'Fetch a list of domain blocks soon',
    ...accessTo('write'),
    params,
    response: DomainList,
    handle: async ({ app, viewer, params: { id } }) => presentList(await refreshList(app, viewer.accountId, id)),
  }),
  post('/api/v1/fieldfare/admin/domain_lists/:id/exceptions', {
    summary: 'Make a domain an exception of a list',
    ...accessTo('write'),
    params,
    input: exception,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id }, input: { domain } }) {
      await setException(app, viewer.accountId, id, { domain, isExcepted: true });
      return {};
    },
  }),
  del('/api/v1/fieldfare/admin/domain_lists/:id/exceptions', {
    summary: 'Remove an exception of a list',
    ...accessTo('write'),
    params,
    input: exception,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id }, input: { domain } }) {
      await setException(app, viewer.accountId, id, { domain, isExcepted: false });
      return {};
    },
  }),
];
