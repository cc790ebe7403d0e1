import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import { parseDomain } from '../../site/domains/index.ts';
import type { Staff } from '../../site/index.ts';
import { deliveriesScheduled, hostPauseChanged } from '../events.ts';

/** Rows per transaction. */
const batchSize = 1_000;

/**
 * Stops all deliveries to a host until `resumeHost`. They stay stored, new ones too, for up to a week each
 * (`expireDeliveries`). No-op if it is paused. Returns its domain. Throws 422 for an unknown host whose name is no remote
 * domain.
 */
export async function pauseHost(app: App, staff: Staff, host: string): Promise<string> {
  const known = await app.db.selectFrom('hosts').select('domain').where('domain', '=', host).executeTakeFirst();
  const domain = known?.domain ?? parseDomain(app, host);
  await transaction(app, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      insert into hosts (domain, paused_at) values (${domain}, ${app.clock.now()})
      on conflict (domain) do update set paused_at = excluded.paused_at where hosts.paused_at is null`.execute(tx.db);
    if (numAffectedRows === 0n) return;
    tx.emit(hostPauseChanged({ host: domain }));
    recordStaffAction(tx, staff, { target: 'server', verb: 'pause', label: domain });
  });
  // A claim leaves them alone already; with this it need not skip over them.
  await updateInBatches(
    app,
    (limit) => sql`update deliveries set run_at = 'infinity' where id in (
      select id from deliveries where host = ${domain} and run_at < 'infinity' order by id limit ${limit} for update)`,
  );
  return domain;
}

/**
 * Delivers to a paused host again, oldest first and with all attempts; earlier failures of the host no longer count. A
 * wait that it asked for remains. No-op if it is not paused.
 */
export async function resumePausedHost(app: App, staff: Staff, host: string): Promise<void> {
  const now = app.clock.now();
  const isPaused = sql`exists (select from hosts where domain = ${host} and paused_at is not null)`;
  const runAt = sql`coalesce((select retry_after from hosts where domain = ${host} and retry_after > ${now}), ${now})`;
  await updateInBatches(
    app,
    (limit) => sql`update deliveries set run_at = ${runAt}, attempts = 0 where ${isPaused} and id in (
      select id from deliveries where host = ${host} and run_at = 'infinity' order by id limit ${limit} for update)`,
  );
  await transaction(app, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update hosts set paused_at = null, failures = 0, failing_since = null,
        unavailable_until = case when retry_after > ${now} then retry_after end
      where domain = ${host} and paused_at is not null`.execute(tx.db);
    if (numAffectedRows === 0n) return;
    // What was stored since the batches, and nothing is stored for a paused host any more.
    await sql`update deliveries set run_at = ${runAt}, attempts = 0
      where host = ${host} and run_at = 'infinity'`.execute(tx.db);
    tx.emit(hostPauseChanged({ host }));
    tx.emit(deliveriesScheduled({}));
    recordStaffAction(tx, staff, { target: 'server', verb: 'resume', label: host });
  });
}

type BatchStatement = (limit: number) => ReturnType<typeof sql>;

async function updateInBatches(app: App, statement: BatchStatement): Promise<void> {
  for (let changed = BigInt(batchSize); changed === BigInt(batchSize);) {
    changed = await transaction(app, async ({ db }) => (await statement(batchSize).execute(db)).numAffectedRows ?? 0n);
  }
}
