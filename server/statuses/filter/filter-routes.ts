import { Type } from 'typebox';
import { addFilterStatus, FilterStatus } from '../../filters/index.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { post, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/ids.ts';
import { requireVisibleStatus } from '../read/filter-visible-statuses.ts';

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
      if (statusId === undefined) throw validationFailed("Status can't be blank");
      await requireVisibleStatus(app, accountId, statusId);
      return addFilterStatus(app, accountId, filterId, statusId);
    },
  }),
];
