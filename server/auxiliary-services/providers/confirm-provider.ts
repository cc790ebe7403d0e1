import type { App } from '../../platform/app.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { refreshProvider } from '../calls/refresh-provider.ts';
import { callOptions } from '../calls/run-call.ts';
import { deleteProvidedTrends } from '../../trends/index.ts';
import { providersChanged } from '../events.ts';
import { writable, type ProviderId } from '../tables.ts';
import { fingerprintOf, lockProvider } from './find-providers.ts';

/**
 * Confirms a provider after staff compared the fingerprint of its key with the one that it shows, and asks it for its
 * capabilities. Throws 422 for another fingerprint, 404 if there is no such provider. Idempotent.
 */
export async function confirmProvider(
  app: App,
  staff: Staff,
  { id, fingerprint }: { readonly id: ProviderId; readonly fingerprint: string },
): Promise<void> {
  await transaction(app, async (tx) => {
    const provider = await lockProvider(tx, id);
    if (fingerprint.trim() !== fingerprintOf(provider)) throw validationFailed('providers.fingerprint');
    if (provider.confirmed_at !== null) return;
    const now = app.clock.now();
    await writable(tx.db)
      .updateTable('service_providers')
      .set({ confirmed_at: now, updated_at: now })
      .where('id', '=', id)
      .execute();
    tx.enqueue(refreshProvider({ providerId: id }, callOptions(provider)));
    tx.emit(providersChanged({}));
    recordStaffAction(tx, staff, {
      target: 'provider',
      verb: 'approve',
      id,
      label: provider.name,
      after: { url: provider.base_url, fingerprint: fingerprintOf(provider) },
    });
  });
}

/** Asks a confirmed provider again for its capabilities. Throws 404, or 422 if it is not confirmed. */
export async function requestRefresh(app: App, staff: Staff, id: ProviderId): Promise<void> {
  await transaction(app, async (tx) => {
    const provider = await lockProvider(tx, id);
    if (provider.confirmed_at === null) throw validationFailed('providers.unconfirmed');
    // Staff do not wait for the end of a pause.
    await writable(tx.db).updateTable('service_providers').set({ retry_at: null }).where('id', '=', id).execute();
    tx.enqueue(refreshProvider({ providerId: id }, callOptions(provider)));
    recordStaffAction(tx, staff, { target: 'provider', verb: 'refresh', id, label: provider.name });
  });
}

/** Deletes a provider or its request, with all that was stored for it. Throws 404 if there is none. */
export async function removeProvider(app: App, staff: Staff, id: ProviderId): Promise<void> {
  await transaction(app, async (tx) => {
    const { name, base_url: url } = await lockProvider(tx, id);
    await deleteProvidedTrends(tx, id);
    await writable(tx.db).deleteFrom('service_providers').where('id', '=', id).execute();
    tx.emit(providersChanged({}));
    recordStaffAction(tx, staff, { target: 'provider', verb: 'delete', id, label: name, before: { url } });
  });
}
