import { Type } from 'typebox';
import { del, get, post, put, routeOptions, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { addKeyword, deleteKeyword, updateKeyword } from './change-keywords.ts';
import { requireFilter, requireKeyword } from './find-filters.ts';
import { FilterKeyword } from './schema.ts';

const readAccess = { access: 'user', scope: 'read|read:filters' } as const;
const writeAccess = { access: 'user', scope: 'write|write:filters' } as const;
const filterParams = Type.Object({ filter_id: idSchema<'filter'>() });
const params = Type.Object({ id: idSchema<'filter-keyword'>() });
const KeywordInput = Type.Object({
  keyword: Type.Optional(Type.String()),
  whole_word: Type.Optional(Type.Boolean({ description: 'Default true' })),
});

const showKeyword = routeOptions({
  summary: 'Show a keyword of a filter',
  ...readAccess,
  params,
  response: FilterKeyword,
  handle: async ({ app, viewer, params: { id } }) => (await requireKeyword(app, viewer.accountId, id)).keyword,
});

const changeKeyword = routeOptions({
  summary: 'Update a keyword of a filter',
  ...writeAccess,
  params,
  input: KeywordInput,
  response: FilterKeyword,
  async handle({ app, viewer: { accountId }, params: { id }, input }) {
    await updateKeyword(app, accountId, id, input);
    return (await requireKeyword(app, accountId, id)).keyword;
  },
});

const removeKeyword = routeOptions({
  summary: 'Delete a keyword of a filter',
  ...writeAccess,
  params,
  response: Type.Object({}),
  async handle({ app, viewer, params: { id } }) {
    await deleteKeyword(app, viewer.accountId, id);
    return {};
  },
});

export const keywordRoutes: readonly Route[] = [
  get('/api/v2/filters/:filter_id/keywords', {
    summary: 'List the keywords of a filter',
    ...readAccess,
    params: filterParams,
    response: Type.Array(FilterKeyword),
    async handle({ app, viewer, params: { filter_id: filterId } }) {
      return (await requireFilter(app, viewer.accountId, filterId)).keywords;
    },
  }),
  post('/api/v2/filters/:filter_id/keywords', {
    summary: 'Add a keyword to a filter',
    ...writeAccess,
    params: filterParams,
    input: KeywordInput,
    response: FilterKeyword,
    handle: ({ app, viewer, params: { filter_id: filterId }, input }) =>
      addKeyword(app, viewer.accountId, filterId, input),
  }),
  // The path today, and two of the time before Mastodon 4.0 (FL2-02).
  get('/api/v2/filters/keywords/:id', showKeyword),
  get('/api/v2/filter_keywords/:id', showKeyword),
  get('/api/v1/filters/keywords/:id', showKeyword),
  put('/api/v2/filters/keywords/:id', changeKeyword),
  put('/api/v2/filter_keywords/:id', changeKeyword),
  put('/api/v1/filters/keywords/:id', changeKeyword),
  del('/api/v2/filters/keywords/:id', removeKeyword),
  del('/api/v2/filter_keywords/:id', removeKeyword),
  del('/api/v1/filters/keywords/:id', removeKeyword),
];
