import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';

/** Days after which an expired invite is deleted that nobody signed up with. */
const retentionDays = 30;
const batchSize = 1_000;

/** Deletes invites that expired a month ago and that nobody signed up with. The others say who invited a user. */
export async function cleanUpInvites(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - retentionDays * 86_400_000);
  for (let deleted = batchSize; deleted === batchSize;) {
    deleted = await transaction(app, async ({ db }) => {
      const { rows } = await sql`
        delete from invites where id in (
          select id from invites where expires_at < ${before} and uses = 0
          order by id limit ${batchSize} for update skip locked)
        returning id`.execute(db);
      return rows.length;
    });
  }
}
