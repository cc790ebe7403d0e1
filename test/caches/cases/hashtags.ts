import { accountChanged, accountCountersChanged } from '../../../server/accounts/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { newId, type AccountId, type TagId } from '../../../server/platform/ids.ts';
import { accountTagsChanged, loadAccountTags } from '../../../server/hashtags/index.ts';
import { findTag } from '../../../server/tags/index.ts';
import type { TestServer } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

async function createTag(server: TestServer, name: string): Promise<TagId> {
  const id = newId<'tag'>(server.clock.now());
  await server.db.insertInto('tags').values({ id, name, display_name: name, created_at: server.clock.now() }).execute();
  return id;
}

/** A case that reads how often alice used the featured hashtag of her profile. */
const usesCase = (event: string, emit: (accountId: AccountId) => DomainEvent): EvictionCase => ({
  cache: 'hashtags.featured_tag_uses',
  event,
  prepare: async (server) => {
    const alice = await server.user('alice');
    await alice.post('/api/v1/tags/birds/feature');
    const { id: statusId } = (await alice.post('/api/v1/statuses', { status: 'Hello' })).json;
    const tag = await findTag(server.app, 'birds');
    if (tag === undefined) throw new Error('the hashtag does not exist');
    return {
      read: async () => (await alice.get('/api/v1/featured_tags')).json[0].statuses_count as string,
      change: () => server.db.insertInto('status_tags').values({ status_id: statusId, tag_id: tag.id }).execute(),
      emitted: emit(alice.id),
    };
  },
});

export const cases: EvictionCase[] = [
  {
    cache: 'hashtags.account_tags',
    event: accountTagsChanged.event,
    prepare: async (server) => {
      const alice = await server.user('alice');
      const tagId = await createTag(server, 'birds');
      return {
        read: async () => (await loadAccountTags(server.app, alice.id)).following,
        change: () =>
          server.db
            .insertInto('tag_follows')
            .values({
              id: newId<'row'>(server.clock.now()),
              account_id: alice.id,
              tag_id: tagId,
              created_at: server.clock.now(),
            })
            .execute(),
        emitted: accountTagsChanged({ accountId: alice.id }),
      };
    },
  },
  usesCase(accountChanged.event, (accountId) => accountChanged({ accountId })),
  usesCase(accountCountersChanged.event, (id) => accountCountersChanged({ id, version: 2, jsonEnd: '}' })),
  usesCase(accountTagsChanged.event, (accountId) => accountTagsChanged({ accountId })),
];
