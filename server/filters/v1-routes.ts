import { Type } from 'typebox';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { deleteKeyword } from './change-keywords.ts';
import { listKeywords, requireKeyword } from './find-filters.ts';
import { V1Filter } from './schema.ts';
import { createV1Filter, presentV1Filter, updateV1Filter, V1FilterInput } from './v1-filters.ts';

const deprecatedSince = '2022-11-14';
const readAccess = { access: 'user', scope: 'read|read:filters', deprecatedSince } as const;
const writeAccess = { access: 'user', scope: 'write|write:filters', deprecatedSince } as const;
const params = Type.Object({ id: idSchema<'filter-keyword'>() });

/** Version 1 of the API, in which each keyword is a filter (FL1-01). */
export const v1Routes: readonly Route[] = [
  get('/api/v1/filters', {
    summary: "List the keywords of the viewer's filters",
    hasEtag: true,
    ...readAccess,
    response: Type.Array(V1Filter),
    handle: async ({ app, viewer }) => (await listKeywords(app, viewer.accountId)).map(presentV1Filter),
  }),
  get('/api/v1/filters/:id', {
    summary: 'Show a keyword with its filter',
    hasEtag: true,
    ...readAccess,
    params,
    response: V1Filter,
    handle: async ({ app, viewer, params: { id } }) => presentV1Filter(await requireKeyword(app, viewer.accountId, id)),
  }),
  post('/api/v1/filters', {
    summary: 'Create a filter with one keyword',
    ...writeAccess,
    input: V1FilterInput,
    response: V1Filter,
    async handle({ app, viewer: { accountId }, input }) {
      return presentV1Filter(await requireKeyword(app, accountId, await createV1Filter(app, accountId, input)));
    },
  }),
  put('/api/v1/filters/:id', {
    summary: 'Update the given properties of a keyword and its filter',
    ...writeAccess,
    params,
    input: V1FilterInput,
    response: V1Filter,
    async handle({ app, viewer: { accountId }, params: { id }, input }) {
      await updateV1Filter(app, accountId, id, input);
      return presentV1Filter(await requireKeyword(app, accountId, id));
    },
  }),
  del('/api/v1/filters/:id', {
    summary: 'Delete a keyword; its filter stays',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteKeyword(app, viewer.accountId, id);
      return {};
    },
  }),
];
