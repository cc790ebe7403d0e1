import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { findRelayByActor } from '../delivery/subscribed-relays.ts';
import { idOf, isSameHost } from '../documents/values.ts';
import { relaysChanged } from '../events.ts';
import { resolveStatus } from '../fetch/resolve-status.ts';
import { localActivityId } from '../local-addresses.ts';
import { writable } from '../tables.ts';

/** Records the answer of a relay to a Follow. Returns false if the answer is about something else. */
export async function receiveRelayAnswer(
  app: App,
  actor: AccountRow,
  { follow, isAccepted }: { readonly follow: unknown; readonly isAccepted: boolean },
): Promise<boolean> {
  const uri = idOf(follow);
  if (uri === undefined) return false;
  const relay = await app.db
    .selectFrom('relays')
    .selectAll()
    .where((where) =>
      where.or([where('follow_id', '=', localActivityId(app, uri, 'follows') ?? null), where('follow_uri', '=', uri)]),
    )
    .executeTakeFirst();
  if (relay === undefined || relay.inbox_url === null || !isSameHost(relay.inbox_url, actor.uri)) return false;
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .updateTable('relays')
      .set({
        state: isAccepted ? 'accepted' : 'rejected',
        actor_uri: actor.uri,
        updated_at: app.clock.now(),
      })
      .where('id', '=', relay.id)
      .where('follow_id', 'is not distinct from', relay.follow_id)
      // A relay that staff left stays so, and one that rejected answers a new Follow only.
      .where('state', 'in', isAccepted ? ['pending'] : ['pending', 'accepted'])
      .execute();
    emit(relaysChanged({}));
  });
  return true;
}

/** Fetches and stores a post that a subscribed relay announces. Returns false if the actor is no such relay. */
export async function receiveRelayedPost(app: App, actorUri: string, uri: string): Promise<boolean> {
  if ((await findRelayByActor(app, actorUri)) === undefined) return false;
  await resolveStatus(app, uri);
  return true;
}
