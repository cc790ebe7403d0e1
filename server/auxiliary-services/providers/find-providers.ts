import { createHash } from 'node:crypto';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { Provider } from '../schema.ts';
import type { CallbackRow, CapabilityRow, ProviderId, ProviderRow } from '../tables.ts';
import { isSupported } from './capabilities.ts';

/** Answers to test calls that are kept of a provider. */
export const maxCallbacks = 10;

/** Lists the providers, newest first. There are few. */
export async function listProviders({ db }: App): Promise<ProviderRow[]> {
  return db.selectFrom('service_providers').selectAll().orderBy('id', 'desc').execute();
}

/** Returns a provider. Throws 404 if there is none. */
export async function requireProvider({ db }: App, id: ProviderId): Promise<ProviderRow> {
  return db
    .selectFrom('service_providers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Locks and returns a provider. Throws 404 if there is none. */
export async function lockProvider({ db }: Transaction, id: ProviderId): Promise<ProviderRow> {
  return db
    .selectFrom('service_providers')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

/** Returns the fingerprint of the public key of a provider. */
export const fingerprintOf = ({ public_key: key }: Pick<ProviderRow, 'public_key'>): string =>
  createHash('sha256').update(key).digest('base64');

/** Presents providers with their capabilities and the last answers to test calls. */
export async function presentProviders({ db }: App, rows: readonly ProviderRow[]): Promise<Provider[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [capabilities, callbacks] = await Promise.all([
    db
      .selectFrom('service_provider_capabilities')
      .selectAll()
      .where('provider_id', 'in', ids)
      .orderBy('name')
      .execute(),
    db
      .selectFrom('service_provider_callbacks')
      .selectAll()
      .where('provider_id', 'in', ids)
      .orderBy('id', 'desc')
      .execute(),
  ]);
  return rows.map((row) =>
    presentRow(
      row,
      capabilities.filter((one) => one.provider_id === row.id),
      callbacks.filter((one) => one.provider_id === row.id),
    ),
  );
}

/** Returns a provider as staff see it. Throws 404 if there is none. */
export async function presentProvider(app: App, id: ProviderId): Promise<Provider> {
  const [provider] = await presentProviders(app, [await requireProvider(app, id)]);
  if (provider === undefined) throw notFound();
  return provider;
}

function presentRow(
  row: ProviderRow,
  capabilities: readonly CapabilityRow[],
  callbacks: readonly CallbackRow[],
): Provider {
  const { id, name, base_url, privacy_policies, sign_in_url, contact_email, fediverse_account } = row;
  return {
    id,
    name,
    base_url,
    fingerprint: fingerprintOf(row),
    confirmed_at: isoTime(row.confirmed_at),
    privacy_policies,
    sign_in_url,
    contact_email,
    fediverse_account,
    capabilities: capabilities.map((capability) => ({
      name: capability.name,
      version: capability.version,
      supported: isSupported(capability),
      enabled: capability.enabled,
      announced: capability.announced,
    })),
    info_fetched_at: isoTime(row.info_fetched_at),
    failures: row.failures,
    failing_since: isoTime(row.failing_since),
    last_error: row.last_error,
    last_status: row.last_status,
    retry_at: isoTime(row.retry_at),
    callbacks: callbacks
      .slice(0, maxCallbacks)
      .map(({ ip, body, created_at }) => ({ ip, body, created_at: created_at.toISOString() })),
    created_at: row.created_at.toISOString(),
  };
}

const isoTime = (date: Date | null): string | null => date?.toISOString() ?? null;
