import { Type } from 'typebox';
import { addFilterStatus, ExportedFilter, FilterExport, FilterStatus } from '../../filters/index.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';
import { exportFilters, importFiltersOfFile } from './transfer-filters.ts';

/** Bytes: the keywords and titles that an account may have, at four bytes a character, with URIs. */
const maxImportBytes = 4_000_000;

/** The routes of filters that need to know which statuses the viewer may see. */
export const filterRoutes: readonly Route[] = [
  post('/api/v2/filters/:filter_id/statuses', {
    summary: 'Add a single post to a filter',
    access: 'user',
    scope: 'write|write:filters',
    params: Type.Object({ filter_id: idSchema<'filter'>() }),
    input: Type.Object({ status_id: Type.Optional(idSchema<'status'>()) }),
    response: FilterStatus,
    async handle({ app, viewer: { accountId }, params: { filter_id: filterId }, input: { status_id: statusId } }) {
      if (statusId === undefined) throw invalidField('status', 'problems.blank');
      await requireVisibleStatus(app, accountId, statusId);
      return addFilterStatus(app, accountId, filterId, statusId);
    },
  }),
  get('/api/v1/fieldfare/filters/export', {
    summary: 'Export all filters, for a file',
    access: 'user',
    scope: 'read|read:filters',
    response: FilterExport,
    handle: ({ app, viewer }) => exportFilters(app, viewer.accountId),
  }),
  post('/api/v1/fieldfare/filters/import', {
    summary: 'Import filters of a file: add to those that exist, or replace them',
    access: 'user',
    scope: 'write|write:filters',
    bodyLimit: maxImportBytes,
    allowSlowBody: true,
    input: Type.Object({
      filters: Type.Array(ExportedFilter),
      mode: Type.Optional(Type.Enum(['merge', 'replace'], { description: 'Default merge' })),
    }),
    response: FilterExport,
    async handle({ app, viewer: { accountId }, input: { filters, mode = 'merge' } }) {
      await importFiltersOfFile(app, accountId, filters, mode);
      return exportFilters(app, accountId);
    },
  }),
];
