import { sql } from 'kysely';
import { Type } from 'typebox';
import { actorUrls } from '../../accounts/index.ts';
import { get } from '../../platform/http/routes.ts';
import { inlineCollection } from '../documents/collections.ts';
import { hostOf } from '../documents/values.ts';
import { activityResponse } from './activity-response.ts';
import { requireActiveActor } from './local-actor.ts';
import { assertNotBlocked } from './reader.ts';
import { requireSigner } from './signer.ts';
import { forServers } from './for-servers.ts';

/** Larger collections do not support synchronization (FEP-8fcf). */
const maxFollowers = 25_000;

/** Lists the followers of an actor on the requesting server. Other servers cannot see them. */
export const followersSynchronizationRoute = get('/users/:username/followers_synchronization', {
  summary: 'List the followers of an actor on the requesting server',
  // Not from a replica: servers end follows that are missing here.
  ...forServers,
  params: Type.Object({ username: Type.String() }),
  async handle({ app, params, request }) {
    const signer = await requireSigner(app, request);
    const account = await requireActiveActor(app, params.username);
    await assertNotBlocked(app, account.id, signer);
    const { rows } = await sql<{ uri: string }>`
      select account.uri from follows join accounts account on account.id = follows.account_id
      where follows.target_account_id = ${account.id}::bigint and account.domain is not null and account.suspension_origin is distinct from 'local'
        and split_part(account.uri, '/', 3) = ${hostOf(signer.actorUri) ?? ''}
      order by follows.id limit ${maxFollowers}`.execute(app.db);
    const id = actorUrls(app, account.uri).followersSynchronization;
    const uris = rows.map(({ uri }) => uri);
    return activityResponse(app, inlineCollection(id, uris), { open: false });
  },
});
