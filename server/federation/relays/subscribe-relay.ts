import { Type } from 'typebox';
import { findAccount } from '../../accounts/find/index.ts';
import { ensureInstanceActor } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { relaysChanged } from '../events.ts';
import { fetchActor } from '../fetch/resolve-account.ts';
import { writable, type RelayId, type RelayRow } from '../tables.ts';
import { lockRelay } from './find-relays.ts';
import { sendFollow, sendUndo } from './send-subscription.ts';

/** Asks a relay for its posts, also again. It is `pending` until it answers. Throws 404 if there is no such relay. */
export async function subscribeRelay(app: App, staff: Staff, id: RelayId): Promise<RelayRow> {
  await ensureInstanceActor(app);
  return transaction(app, async (tx) => {
    const before = await lockRelay(tx, id);
    if (before === undefined) throw notFound();
    const relay = await startSubscription(tx, app, before);
    recordStaffAction(tx, staff, {
      target: 'relay',
      verb: 'subscribe',
      id,
      label: relay.url,
      before: { state: before.state },
      after: { state: relay.state },
    });
    return relay;
  });
}

/** Sends a new Follow to a relay, at once or when its actor is known. */
export async function startSubscription(tx: Transaction, app: App, { id }: RelayRow): Promise<RelayRow> {
  const now = app.clock.now();
  const relay = await writable(tx.db)
    .updateTable('relays')
    .set({ state: 'pending', follow_id: newId<'row'>(now), follow_uri: null, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.emit(relaysChanged({}));
  if (relay.kind === 'litepub') tx.enqueue(resolveRelay({ relayId: id }, { host: new URL(relay.url).host }));
  else await sendFollow(tx, app, relay);
  return relay;
}

/**
 * Stops the exchange with a relay and withdraws the subscription. Throws 404 if there is no such relay. Returns it unchanged
 * if it was not subscribed.
 */
export async function unsubscribeRelay(app: App, staff: Staff, id: RelayId): Promise<RelayRow> {
  await ensureInstanceActor(app);
  return transaction(app, async (tx) => {
    const before = await lockRelay(tx, id);
    if (before === undefined) throw notFound();
    if (before.state === 'idle') return before;
    await withdraw(tx, app, before);
    const relay = await writable(tx.db)
      .updateTable('relays')
      .set({ state: 'idle', updated_at: app.clock.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    tx.emit(relaysChanged({}));
    recordStaffAction(tx, staff, {
      target: 'relay',
      verb: 'unsubscribe',
      id,
      label: relay.url,
      before: { state: before.state },
      after: { state: 'idle' },
    });
    return relay;
  });
}

/** Undoes the Follow of a relay that may have accepted it. */
export async function withdraw(tx: Transaction, app: App, relay: RelayRow): Promise<void> {
  if (relay.state === 'pending' || relay.state === 'accepted') await sendUndo(tx, app, relay);
}

/** Fetches the actor of a LitePub relay, and follows it. */
export const resolveRelay = defineJob(
  'federation.resolve_relay',
  Type.Object({ relayId: idSchema<'relay'>() }),
  async (app, { relayId }) => {
    const relay = await app.db.selectFrom('relays').selectAll().where('id', '=', relayId).executeTakeFirst();
    if (relay === undefined || relay.state !== 'pending') return;
    const actor = await findAccount(app, await fetchActor(app, relay.url, { fresh: true }));
    if (actor === undefined || actor.inbox_url === null) return;
    await ensureInstanceActor(app);
    await transaction(app, async (tx) => {
      const current = await lockRelay(tx, relayId);
      if (current?.follow_id !== relay.follow_id || current.state !== 'pending') return;
      const known = { actor_uri: actor.uri, inbox_url: actor.inbox_url };
      await writable(tx.db).updateTable('relays').set(known).where('id', '=', relayId).execute();
      tx.emit(relaysChanged({}));
      await sendFollow(tx, app, { ...current, ...known });
    });
  },
  'remote',
);
