import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { providersChanged } from '../events.ts';
import { writable, type ProviderRow } from '../tables.ts';
import { askProvider } from './call-provider.ts';
import { parseProviderInfo, type ProviderInfo } from './parse-info.ts';
import { callOptions, runCall } from './run-call.ts';

/** Asks a provider for its capabilities. Those that it no longer has are deleted, also if staff had enabled them. */
export const refreshProvider = defineJob(
  'service_provider.refresh',
  Type.Object({ providerId: idSchema<'provider'>() }),
  (app, data): Promise<void> =>
    runCall(app, {
      providerId: data.providerId,
      run: async (provider) =>
        storeInfo(app, provider, await askProvider(app, provider, { path: '/provider_info' }, parseProviderInfo)),
      again: (options): JobRequest => refreshProvider(data, options),
    }),
  'webhooks',
);

async function storeInfo(app: App, { id }: ProviderRow, info: ProviderInfo): Promise<void> {
  const { capabilities, privacyPolicies, signInUrl, contactEmail, fediverseAccount } = info;
  const now = app.clock.now();
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .updateTable('service_providers')
      .set({
        privacy_policies: JSON.stringify(privacyPolicies),
        sign_in_url: signInUrl,
        contact_email: contactEmail,
        fediverse_account: fediverseAccount,
        info_fetched_at: now,
        updated_at: now,
      })
      .where('id', '=', id)
      .execute();
    const names = capabilities.map(({ name }) => name);
    await writable(db)
      .deleteFrom('service_provider_capabilities')
      .where('provider_id', '=', id)
      .where('name', 'not in', ['', ...names])
      .execute();
    if (capabilities.length > 0)
      await writable(db)
        .insertInto('service_provider_capabilities')
        .values(capabilities.map(({ name, version }) => ({ provider_id: id, name, version })))
        .onConflict((conflict) =>
          conflict.columns(['provider_id', 'name']).doUpdateSet(({ ref }) => ({ version: ref('excluded.version') })),
        )
        .execute();
    emit(providersChanged({}));
  });
}

/** Asks each confirmed provider once a day, deletes old signatures, and requests that staff did not confirm for a week. */
export const refreshProviders: Schedule = {
  name: 'service_provider.refresh_all',
  pattern: '41 4 * * *',
  async run(app) {
    const now = app.clock.now().getTime();
    await transaction(app, async ({ db, enqueue }) => {
      await writable(db)
        .deleteFrom('service_providers')
        .where('confirmed_at', 'is', null)
        .where('created_at', '<', new Date(now - 7 * 86_400_000))
        .execute();
      await writable(db)
        .deleteFrom('service_provider_announcements')
        .where('created_at', '<', new Date(now - 3 * 86_400_000))
        .execute();
      const providers = await db
        .selectFrom('service_providers')
        .select(['id', 'base_url'])
        .where('confirmed_at', 'is not', null)
        .execute();
      for (const provider of providers)
        enqueue(refreshProvider({ providerId: provider.id }, { ...callOptions(provider), isUnique: true }));
    });
  },
};
