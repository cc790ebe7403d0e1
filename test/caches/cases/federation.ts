import { generateKeyPairSync } from 'node:crypto';
import { accountSuspended, accountUnsuspended, accountUpdated } from '../../../server/accounts/index.ts';
import { isPausedHost } from '../../../server/federation/delivery/paused-hosts.ts';
import {
  filterWithRemoteRecipients,
  loadReachOfAuthors,
} from '../../../server/federation/delivery/remote-recipients.ts';
import { deliveryFailed, hostPauseChanged, relaysChanged } from '../../../server/federation/events.ts';
import { recordHostAlive } from '../../../server/federation/host-health.ts';
import { findKey } from '../../../server/federation/keys/find-key.ts';
import { listAcceptedRelays } from '../../../server/federation/delivery/subscribed-relays.ts';
import { getLocalFollowers, remoteFollowersDigest } from '../../../server/federation/delivery/followers-digest.ts';
import { transaction } from '../../../server/platform/write/transaction.ts';
import { newId, type AccountId } from '../../../server/platform/ids.ts';
import { relationsChanged } from '../../../server/relationships/index.ts';
import type { TestServer } from '../../server.ts';
import type { EvictionCase } from '../eviction-case.ts';

const host = 'far.test';
const eveUri = `https://${host}/users/eve`;
const keyId = `${eveUri}#main-key`;

async function insertEve({ app, db }: TestServer): Promise<AccountId> {
  const now = app.clock.now();
  const id = newId<'account'>(now);
  await db
    .insertInto('accounts')
    .values({ id, username: 'eve', domain: host, uri: eveUri, created_at: now, updated_at: now })
    .execute();
  return id;
}

const follow = ({ app, db }: TestServer, followerId: AccountId, followedId: AccountId) =>
  db
    .insertInto('follows')
    .values({
      id: newId<'row'>(app.clock.now()),
      account_id: followerId,
      target_account_id: followedId,
      created_at: app.clock.now(),
    })
    .execute();

const publicKeyPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const keyCases = [accountUpdated, accountSuspended, accountUnsuspended].map((type): EvictionCase => ({
  cache: 'federation.keys',
  event: type.event,
  prepare: async (server) => {
    const { app, db } = server;
    const accountId = await insertEve(server);
    await db
      .insertInto('account_keys')
      .values({ account_id: accountId, key_id: keyId, public_key_pem: publicKeyPem })
      .execute();
    return {
      read: async () => (await findKey(app, keyId))?.suspended,
      change: () =>
        db.updateTable('accounts').set({ suspended_at: app.clock.now() }).where('id', '=', accountId).execute(),
      emitted: type({ accountId }),
    };
  },
}));

export const cases: EvictionCase[] = [
  ...keyCases,
  {
    cache: 'federation.relays',
    event: relaysChanged.event,
    prepare: async ({ app, db }) => ({
      read: async () => (await listAcceptedRelays(app)).length,
      change: () =>
        db
          .insertInto('relays')
          .values({
            id: newId<'relay'>(app.clock.now()),
            url: 'https://relay.test/inbox',
            kind: 'mastodon',
            state: 'accepted',
            created_at: app.clock.now(),
            updated_at: app.clock.now(),
          })
          .execute(),
      emitted: relaysChanged({}),
    }),
  },
  {
    cache: 'federation.healthy_hosts',
    event: deliveryFailed.event,
    prepare: async ({ app, db }) => {
      await db.insertInto('hosts').values({ domain: host }).execute();
      await recordHostAlive(app, host);
      await db.updateTable('hosts').set({ failures: 1 }).where('domain', '=', host).execute();
      return {
        read: async () => {
          await recordHostAlive(app, host);
          return db.selectFrom('hosts').select('failures').where('domain', '=', host).execute();
        },
        change: () =>
          db.updateTable('hosts').set({ failing_since: app.clock.now() }).where('domain', '=', host).execute(),
        emitted: deliveryFailed({ host }),
      };
    },
  },
  {
    cache: 'federation.outgoing_digests',
    event: relationsChanged.event,
    prepare: async (server) => {
      const { id: accountId } = await server.user('alice');
      const eveId = await insertEve(server);
      return {
        read: () => remoteFollowersDigest(server.app, accountId, host),
        change: () => follow(server, eveId, accountId),
        emitted: relationsChanged({ accountId }),
      };
    },
  },
  {
    cache: 'federation.incoming_digests',
    event: relationsChanged.event,
    prepare: async (server) => {
      const { id: aliceId } = await server.user('alice');
      const accountId = await insertEve(server);
      return {
        read: () => getLocalFollowers(server.app, accountId),
        change: () => follow(server, aliceId, accountId),
        emitted: relationsChanged({ accountId }),
      };
    },
  },
  {
    cache: 'federation.paused_hosts',
    event: hostPauseChanged.event,
    prepare: async ({ app, db }) => ({
      read: () => isPausedHost(app, host),
      change: () => db.insertInto('hosts').values({ domain: host, paused_at: app.clock.now() }).execute(),
      emitted: hostPauseChanged({ host }),
    }),
  },
  {
    cache: 'federation.remote_followers',
    event: relationsChanged.event,
    prepare: async (server) => {
      const { app, db } = server;
      const { id: accountId } = await server.user('alice');
      const statusId = newId<'status'>(app.clock.now());
      const created = { statusId, accountId, local: true, direct: false, public: false, reply: false, mentions: false };
      return {
        read: async () => {
          await Promise.all(loadReachOfAuthors.runBatch(app, [created]));
          return (await transaction(app, (tx) => filterWithRemoteRecipients(tx, app, [created]))).length;
        },
        change: () =>
          db.updateTable('account_stats').set({ followers_count: 1 }).where('account_id', '=', accountId).execute(),
        emitted: relationsChanged({ accountId }),
      };
    },
  },
];
