import { authorMerged } from '../../../server/timelines/events.ts';
import { isMergedAuthor } from '../../../server/timelines/feeds/merged-authors.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: EvictionCase[] = [
  {
    cache: 'timeline.merged_authors',
    event: authorMerged.event,
    async prepare(server) {
      const { id: accountId } = await server.user('author');
      return {
        read: () => isMergedAuthor(server.app, accountId),
        change: () =>
          server.db.insertInto('merged_authors').values({ account_id: accountId, since: new Date() }).execute(),
        emitted: authorMerged({ accountId }),
      };
    },
  },
];
