import type { App } from '../../platform/app.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { announceCapability } from '../calls/announce-capability.ts';
import { callOptions } from '../calls/run-call.ts';
import { sendTestCall } from '../calls/send-test-call.ts';
import { deleteProvidedTrends } from '../../trends/index.ts';
import { providersChanged } from '../events.ts';
import { writable, type ProviderId } from '../tables.ts';
import { fetchTrends } from '../trends/fetch-trends.ts';
import { isSupported } from './capabilities.ts';
import { lockProvider } from './find-providers.ts';

interface CapabilityChange {
  readonly id: ProviderId;
  readonly capability: string;
  readonly enabled: boolean;
}

/**
 * Enables or disables a capability of a confirmed provider at once, and tells the provider. Throws 404 if there is none,
 * 422 if this server cannot use it. Idempotent.
 */
export async function setCapabilityEnabled(
  app: App,
  staff: Staff,
  { id, capability: name, enabled }: CapabilityChange,
): Promise<void> {
  await transaction(app, async (tx) => {
    const provider = await lockProvider(tx, id);
    if (provider.confirmed_at === null) throw validationFailed('providers.unconfirmed');
    const before = await tx.db
      .selectFrom('service_provider_capabilities')
      .selectAll()
      .where('provider_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirstOrThrow(() => notFound());
    if (enabled && !isSupported(before)) throw validationFailed('providers.unsupported', { name });
    await writable(tx.db)
      .updateTable('service_provider_capabilities')
      .set({ enabled })
      .where('provider_id', '=', id)
      .where('name', '=', name)
      .execute();
    if (!enabled) await deleteStored(tx, id, name);
    if (enabled && name === 'trends') tx.enqueue(fetchTrends({ providerId: id }, callOptions(provider)));
    if (before.enabled !== enabled || before.announced !== enabled)
      tx.enqueue(announceCapability({ providerId: id, name }, callOptions(provider)));
    tx.emit(providersChanged({}));
    recordStaffUpdate(tx, staff, {
      target: 'provider',
      verb: enabled ? 'enable' : 'disable',
      id,
      label: provider.name,
      before: { [name]: before.enabled },
      after: { [name]: enabled },
    });
  });
}

/** Makes a test call, which the provider answers by a call of its own. Throws 404, or 422 unless `callback` is enabled. */
export async function requestTestCall(app: App, staff: Staff, id: ProviderId): Promise<void> {
  await transaction(app, async (tx) => {
    const provider = await lockProvider(tx, id);
    const enabled = await tx.db
      .selectFrom('service_provider_capabilities')
      .select('name')
      .where('provider_id', '=', id)
      .where('name', '=', 'callback')
      .where('enabled', '=', true)
      .executeTakeFirst();
    if (provider.confirmed_at === null || enabled === undefined) throw validationFailed('providers.noCallback');
    tx.enqueue(sendTestCall({ providerId: id }, callOptions(provider)));
    recordStaffAction(tx, staff, { target: 'provider', verb: 'try', id, label: provider.name });
  });
}

/** Deletes what was stored for a capability that was disabled. */
async function deleteStored(tx: Transaction, id: ProviderId, name: string): Promise<void> {
  const { db } = tx;
  if (name === 'trends') await deleteProvidedTrends(tx, id);
  if (name === 'follow_recommendation')
    await writable(db).deleteFrom('service_provider_recommendations').where('provider_id', '=', id).execute();
  if (name !== 'data_sharing') return;
  await writable(db).deleteFrom('service_provider_subscriptions').where('provider_id', '=', id).execute();
  await writable(db).deleteFrom('service_provider_backfills').where('provider_id', '=', id).execute();
}
