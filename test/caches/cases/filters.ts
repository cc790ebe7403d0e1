import { filtersChanged, loadFilterMatcher } from '../../../server/filters/index.ts';
import { newId } from '../../../server/platform/ids.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: readonly EvictionCase[] = [
  {
    cache: 'filters.matchers',
    event: filtersChanged.event,
    prepare: async (server) => {
      const { id } = await server.user('alice');
      const now = server.clock.now();
      const filterId = newId<'filter'>(now);
      return {
        read: async () => (await loadFilterMatcher(server.app, id)).isEmpty,
        change: async () => {
          await server.db
            .insertInto('filters')
            .values({
              id: filterId,
              account_id: id,
              title: 'Cats',
              context: ['home'],
              action: 'warn',
              expires_at: null,
              created_at: now,
            })
            .execute();
          await server.db
            .insertInto('filter_keywords')
            .values({ id: newId<'filter-keyword'>(now), filter_id: filterId, keyword: 'cat', whole_word: true })
            .execute();
        },
        emitted: filtersChanged({ accountId: id }),
      };
    },
  },
];
