import { tagReviewed } from '../../../server/tags/index.ts';
import { trendsChanged } from '../../../server/trends/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { newId, type TagId } from '../../../server/platform/ids.ts';
import type { EvictionCase } from '../eviction-case.ts';

/** A case that approves a trending hashtag, with any event. */
const approvalCase = (event: string, emit: (tagId: TagId) => DomainEvent): EvictionCase => ({
  cache: 'trends.trends',
  event,
  prepare: async (server) => {
    const now = server.clock.now();
    const id = newId<'tag'>(now);
    await server.db.insertInto('tags').values({ id, name: 'birds', display_name: 'birds', created_at: now }).execute();
    await server.db
      .insertInto('trends')
      .values({ kind: 'tag', subject_id: id, language: 'en', peak_score: 80, peak_at: now, score: 80 })
      .execute();
    return {
      read: async () => (await server.anonymous.get('/api/v1/trends/tags')).json.length as number,
      change: () => server.db.updateTable('tags').set({ trendable: true }).where('id', '=', id).execute(),
      emitted: emit(id),
    };
  },
});

export const cases: EvictionCase[] = [
  approvalCase(trendsChanged.event, () => trendsChanged({})),
  approvalCase(tagReviewed.event, (tagId) => tagReviewed({ tagId })),
];
