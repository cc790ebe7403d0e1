import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { majorVersion } from '../providers/capabilities.ts';
import { writable, type ProviderRow } from '../tables.ts';
import { callProvider } from './call-provider.ts';
import { runCall } from './run-call.ts';

/** Sends the present state of a capability, enabled or disabled by staff, to its provider. */
export const announceCapability = defineJob(
  'service_provider.announce_capability',
  Type.Object({ providerId: idSchema<'provider'>(), name: Type.String() }),
  (app, data): Promise<void> =>
    runCall(app, {
      providerId: data.providerId,
      run: (provider) => announce(app, provider, data.name),
      again: (options): JobRequest => announceCapability(data, options),
    }),
  'webhooks',
);

async function announce(app: App, provider: ProviderRow, name: string): Promise<void> {
  const row = await app.db
    .selectFrom('service_provider_capabilities')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .where('name', '=', name)
    .executeTakeFirst();
  if (row === undefined || row.enabled === row.announced) return;
  await callProvider(app, provider, {
    method: row.enabled ? 'POST' : 'DELETE',
    path: `/capabilities/${name}/${majorVersion(row.version)}/activation`,
  });
  await transaction(app, ({ db }) =>
    writable(db)
      .updateTable('service_provider_capabilities')
      .set({ announced: row.enabled })
      .where('provider_id', '=', provider.id)
      .where('name', '=', name)
      .execute(),
  );
}
