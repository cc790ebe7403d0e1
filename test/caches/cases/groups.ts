import { groupsChanged } from '../../../server/groups/events.ts';
import { loadGroupNames } from '../../../server/groups/index.ts';
import type { EvictionCase } from '../eviction-case.ts';

export const cases: readonly EvictionCase[] = [
  {
    cache: 'groups.names',
    event: groupsChanged.event,
    prepare: async (server) => {
      const mia = await server.user('mia', { role: 'moderator' });
      const { id } = (await mia.post('/api/v1/fieldfare/groups', { username: 'birds' })).json;
      return {
        read: async () => [...(await loadGroupNames(server.app))],
        change: () => server.db.deleteFrom('groups').where('account_id', '=', id).execute(),
        emitted: groupsChanged({}),
      };
    },
  },
];
