import { accountChanged, accountCountersChanged } from '../../../server/accounts/index.ts';
import { emojisChanged } from '../../../server/emojis/index.ts';
import type { DomainEvent } from '../../../server/platform/write/define-event.ts';
import { newId, type AccountId } from '../../../server/platform/ids.ts';
import { isFollowing, loadAccountRelations, loadFollowedIds } from '../../../server/relationships/rules/index.ts';
import { presentCredentialAccount } from '../../../server/relationships/credentials/index.ts';
import { relationsChanged } from '../../../server/relationships/index.ts';
import { siteSettingsChanged } from '../../../server/site/index.ts';
import { everyoneRoleId } from '../../../server/users/access/index.ts';
import { roleChanged, userAccessChanged } from '../../../server/users/index.ts';
import { userSettingsChanged } from '../../../server/users/settings/index.ts';
import type { TestServer, TestUser } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

/** A case that reads the credential account of alice. */
const credentialCase = (
  event: { readonly event: string },
  emitted: (user: TestUser) => DomainEvent,
  change: (server: TestServer, id: AccountId) => Promise<unknown>,
): EvictionCase => ({
  cache: 'relationships.credential_accounts',
  event: event.event,
  prepare: async (server) => {
    const alice = await server.user('alice');
    await server.drain();
    return {
      read: async () => (await presentCredentialAccount(server.app, alice.id)).text,
      change: () => change(server, alice.id),
      emitted: emitted(alice),
    };
  },
});

const changeNote = ({ db }: TestServer, id: AccountId) =>
  db.updateTable('accounts').set({ note: 'changed' }).where('id', '=', id).execute();

async function addRequest(server: TestServer, id: AccountId): Promise<void> {
  const { id: bob } = await server.user('bob');
  const [rowId, now] = [newId<'row'>(server.clock.now()), server.clock.now()];
  await server.db
    .insertInto('follow_requests')
    .values({ id: rowId, account_id: bob, target_account_id: id, uri: null, languages: null, created_at: now })
    .execute();
}

export const cases: EvictionCase[] = [
  {
    cache: 'relationships.relations',
    event: relationsChanged.event,
    prepare: async (server) => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const [id, now] = [newId<'row'>(server.clock.now()), server.clock.now()];
      return {
        read: async () => (await loadAccountRelations(server.app, alice.id)).blocking.has(bob.id),
        change: () =>
          server.db
            .insertInto('blocks')
            .values({ id, account_id: alice.id, target_account_id: bob.id, uri: null, created_at: now })
            .execute(),
        emitted: relationsChanged({ accountId: alice.id }),
      };
    },
  },
  {
    cache: 'relationships.followed',
    event: relationsChanged.event,
    prepare: async (server) => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const [id, now] = [newId<'row'>(server.clock.now()), server.clock.now()];
      return {
        read: async () => [
          (await loadFollowedIds(server.app, alice.id)).has(bob.id),
          await isFollowing(server.app, alice.id, bob.id),
        ],
        change: () =>
          server.db
            .insertInto('follows')
            .values({
              id,
              account_id: alice.id,
              target_account_id: bob.id,
              uri: null,
              languages: null,
              created_at: now,
            })
            .execute(),
        emitted: relationsChanged({ accountId: alice.id }),
      };
    },
  },
  credentialCase(accountChanged, ({ id }) => accountChanged({ accountId: id }), changeNote),
  credentialCase(
    accountCountersChanged,
    ({ id }) => accountCountersChanged({ id, version: 9, jsonEnd: ',"followers_count":9}' }),
    changeNote,
  ),
  credentialCase(relationsChanged, ({ id }) => relationsChanged({ accountId: id }), addRequest),
  credentialCase(userSettingsChanged, ({ id }) => userSettingsChanged({ accountId: id }), changeNote),
  credentialCase(userAccessChanged, ({ id, userId }) => userAccessChanged({ accountId: id, userId }), changeNote),
  credentialCase(roleChanged, () => roleChanged({ roleId: everyoneRoleId }), changeNote),
  credentialCase(emojisChanged, () => emojisChanged({}), changeNote),
  credentialCase(siteSettingsChanged, () => siteSettingsChanged({ names: [], staffId: null }), changeNote),
];
