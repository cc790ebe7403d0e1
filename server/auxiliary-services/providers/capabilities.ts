import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import type { App } from '../../platform/app.ts';
import { isOneOf } from '../../platform/known-names.ts';
import { providersChanged } from '../events.ts';
import type { CapabilityRow, ProviderRow } from '../tables.ts';

/** The capabilities of providers that this server can use, in their version 0. */
const supportedCapabilities = [
  'callback',
  'account_search',
  'follow_recommendation',
  'data_sharing',
  'trends',
] as const;
export type Capability = (typeof supportedCapabilities)[number];

/** Whether this server can use a capability. */
export const isSupported = ({ name, version }: Pick<CapabilityRow, 'name' | 'version'>): boolean =>
  isOneOf(supportedCapabilities, name) && majorVersion(version) === '0';

/** Returns the part of a version that addresses contain. */
export const majorVersion = (version: string): string => version.split('.', 1)[0] ?? '';

/** A confirmed provider with what staff enabled. */
export interface ActiveProvider {
  readonly provider: ProviderRow;
  readonly enabled: ReadonlySet<string>;
}

export const activeProviders = new LoadingCache<'providers', readonly ActiveProvider[]>({
  name: 'auxiliary-services.providers',
  maxSize: 1,
  ttlMs: 60_000,
  load: loadActiveProviders,
  evictOn: [evictAll(providersChanged)],
});

async function loadActiveProviders({ db }: App): Promise<readonly ActiveProvider[]> {
  const providers = await db
    .selectFrom('service_providers')
    .selectAll()
    .where('confirmed_at', 'is not', null)
    .orderBy('id')
    .execute();
  if (providers.length === 0) return [];
  const capabilities = await db
    .selectFrom('service_provider_capabilities')
    .selectAll()
    .where('enabled', '=', true)
    .execute();
  return providers.map((provider) => ({
    provider,
    enabled: new Set(
      capabilities.filter((one) => one.provider_id === provider.id && isSupported(one)).map(({ name }) => name),
    ),
  }));
}

/** Returns the confirmed providers whose capability staff enabled, oldest first. Cached. */
export async function listProvidersWith(app: App, capability: Capability): Promise<ProviderRow[]> {
  const active = await activeProviders.get(app, 'providers');
  return active.filter(({ enabled }) => enabled.has(capability)).map(({ provider }) => provider);
}
