import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { newId } from '../../platform/ids.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { maxCallbacks } from '../providers/find-providers.ts';
import { writable, type ProviderRow } from '../tables.ts';

const maxBodyLength = 1_000;

/** Stores the answer of a provider to a test call, and deletes older ones. */
export async function storeCallback(
  app: App,
  { id: providerId }: ProviderRow,
  { ip, body }: { readonly ip: string; readonly body: string },
): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async ({ db }) => {
    await writable(db)
      .insertInto('service_provider_callbacks')
      .values({
        id: newId<'provider-callback'>(now),
        provider_id: providerId,
        ip,
        body: body.slice(0, maxBodyLength),
        created_at: now,
      })
      .execute();
    await sql`
      delete from service_provider_callbacks where provider_id = ${providerId}::bigint and id <= (
        select id from service_provider_callbacks where provider_id = ${providerId}::bigint
        order by id desc offset ${maxCallbacks}::int limit 1)`.execute(db);
  });
}
