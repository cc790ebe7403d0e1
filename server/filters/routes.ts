import { Type } from 'typebox';
import { del, get, post, put, type Route } from '../platform/http/routes.ts';
import { idSchema } from '../platform/id-schema.ts';
import { createFilter, deleteFilter, updateFilter } from './edit-filter.ts';
import { FilterInput } from './filter-params.ts';
import { removeFilterStatus } from './filter-statuses.ts';
import { listFilters, requireFilter, requireFilterStatus } from './find-filters.ts';
import { keywordRoutes } from './keyword-routes.ts';
import { Filter, FilterStatus } from './schema.ts';
import { v1Routes } from './v1-routes.ts';

const params = Type.Object({ id: idSchema<'filter'>() });
const statusParams = Type.Object({ id: idSchema<'filter-status'>() });
const emptyObject = Type.Object({});
const readAccess = { access: 'user', scope: 'read|read:filters' } as const;
const writeAccess = { access: 'user', scope: 'write|write:filters' } as const;

export const routes: readonly Route[] = [
  get('/api/v2/filters', {
    summary: "List the viewer's filters",
    hasEtag: true,
    ...readAccess,
    response: Type.Array(Filter),
    handle: ({ app, viewer }) => listFilters(app, viewer.accountId),
  }),
  get('/api/v2/filters/:id', {
    summary: 'Show a filter',
    hasEtag: true,
    ...readAccess,
    params,
    response: Filter,
    handle: ({ app, viewer, params: { id } }) => requireFilter(app, viewer.accountId, id),
  }),
  post('/api/v2/filters', {
    summary: 'Create a filter with its keywords',
    ...writeAccess,
    input: FilterInput,
    response: Filter,
    async handle({ app, viewer: { accountId }, input }) {
      return requireFilter(app, accountId, await createFilter(app, accountId, input));
    },
  }),
  put('/api/v2/filters/:id', {
    summary: 'Update the given properties of a filter, and add, change or delete keywords',
    ...writeAccess,
    params,
    input: FilterInput,
    response: Filter,
    async handle({ app, viewer: { accountId }, params: { id }, input }) {
      await updateFilter(app, accountId, id, input);
      return requireFilter(app, accountId, id);
    },
  }),
  del('/api/v2/filters/:id', {
    summary: 'Delete a filter',
    ...writeAccess,
    params,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await deleteFilter(app, viewer.accountId, id);
      return {};
    },
  }),
  ...keywordRoutes,
  ...v1Routes,
  get('/api/v2/filters/:filter_id/statuses', {
    summary: 'List the single posts in a filter',
    ...readAccess,
    params: Type.Object({ filter_id: idSchema<'filter'>() }),
    response: Type.Array(FilterStatus),
    async handle({ app, viewer, params: { filter_id: filterId } }) {
      return (await requireFilter(app, viewer.accountId, filterId)).statuses;
    },
  }),
  get('/api/v2/filters/statuses/:id', {
    summary: 'Show the entry of a single post in a filter',
    ...readAccess,
    params: statusParams,
    response: FilterStatus,
    handle: ({ app, viewer, params: { id } }) => requireFilterStatus(app, viewer.accountId, id),
  }),
  del('/api/v2/filters/statuses/:id', {
    summary: 'Remove a single post from a filter',
    ...writeAccess,
    params: statusParams,
    response: emptyObject,
    async handle({ app, viewer, params: { id } }) {
      await removeFilterStatus(app, viewer.accountId, id);
      return {};
    },
  }),
];
