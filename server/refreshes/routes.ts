import { Type } from 'typebox';
import { notFound } from '../platform/http/http-errors.ts';
import { get } from '../platform/http/routes.ts';
import { findRefresh } from './find-refresh.ts';
import { decodeRefreshId } from './refresh-ids.ts';
import { AsyncRefresh } from './schema.ts';

export const routes = [
  get('/api/v1_alpha/async_refreshes/:id', {
    summary: 'Show the progress of work in the background, by the id in the header Mastodon-Async-Refresh',
    access: 'user',
    scope: 'read',
    params: Type.Object({ id: Type.String() }),
    response: Type.Object({ async_refresh: AsyncRefresh }),
    async handle({ app, params: { id } }) {
      const key = await decodeRefreshId(app, id);
      const refresh = key && (await findRefresh(app, key));
      if (refresh === undefined) throw notFound();
      const { isRunning, resultCount } = refresh;
      return {
        async_refresh: {
          id,
          status: isRunning ? ('running' as const) : ('finished' as const),
          result_count: resultCount,
        },
      };
    },
  }),
];
