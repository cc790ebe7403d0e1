import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';

const dayMs = 86_400_000;
/** Days after which a revoked token is unknown rather than revoked. */
const revokedDays = 7;
/** Days until a token of the client-credentials grant that nobody uses is deleted. Its application can request another one. */
const unusedTokenDays = 30;
/** Days until an application that no user ever authorized is deleted. */
const unusedApplicationDays = 90;
const batchSize = 1_000;

/**
 * Deletes revoked tokens, tokens of applications that are not in use, and applications that were never used
 * (docs/decisions/0142). An application that a user once authorized stays: its client may still have its id.
 */
export async function cleanUpTokensAndApplications(app: App): Promise<void> {
  const before = (days: number) => new Date(app.clock.now().getTime() - days * dayMs);
  await deleteInBatches(
    app,
    sql`delete from oauth_tokens where id in (
      select id from oauth_tokens where revoked_at < ${before(revokedDays)}
      limit ${batchSize} for update skip locked)`,
  );
  await deleteInBatches(
    app,
    sql`delete from oauth_tokens where id in (
      select id from oauth_tokens where user_id is null and last_used_at < ${before(unusedTokenDays)}
      limit ${batchSize} for update skip locked)`,
  );
  await deleteInBatches(
    app,
    sql`delete from oauth_applications where id in (
      select id from oauth_applications application
      where authorized_at is null and created_at < ${before(unusedApplicationDays)}
        and not exists (select from oauth_tokens where application_id = application.id)
        and not exists (select from oauth_grants where application_id = application.id)
        and not exists (select from oauth_device_requests where application_id = application.id)
      limit ${batchSize} for update skip locked)`,
  );
}

async function deleteInBatches(app: App, statement: RawBuilder<unknown>): Promise<void> {
  for (let deleted = batchSize; deleted >= batchSize;) {
    const { numAffectedRows = 0n } = await transaction(app, ({ db }) => statement.execute(db));
    deleted = Number(numAffectedRows);
  }
}
