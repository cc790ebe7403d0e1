import type { Schedule } from '../../platform/work/run-schedules.ts';
import { sql } from 'kysely';
import { transaction } from '../../platform/write/transaction.ts';
import { idFromDate } from '../../platform/ids.ts';
import { pausedHosts } from './paused-hosts.ts';

/** Deliveries are dropped after this age. */
export const maxDeliveryAgeSeconds = 2 * 86_400;
/** Deliveries to a host that staff paused are dropped after this age. */
export const maxPausedDeliveryAgeSeconds = 7 * 86_400;

/**
 * Deletes deliveries that are too old, with their activities. Keeps a due delivery that was never attempted unless its
 * host is failing: this server was down. Deliveries to a paused host have more time.
 */
export const expireDeliveries: Schedule = {
  name: 'federation.expire_deliveries',
  pattern: '*/10 * * * *',
  async run(app) {
    const now = app.clock.now();
    const idBefore = (seconds: number) => idFromDate<'activity'>(new Date(now.getTime() - seconds * 1000));
    const [oldest, oldestPaused] = [idBefore(maxDeliveryAgeSeconds), idBefore(maxPausedDeliveryAgeSeconds)];
    const { numAffectedRows } = await transaction(app, ({ db }) =>
      sql`with expired as (
        delete from deliveries where activity_id < ${oldest}::bigint and (leased_until is null or leased_until < ${now})
          and case when host in (${pausedHosts}) then activity_id < ${oldestPaused}::bigint
            else attempts > 0 or run_at > ${now} or exists (
              select from hosts where domain = deliveries.host and failing_since is not null) end
        returning id, activity_id
      )
      delete from activities activity where activity.id in (select activity_id from expired) and not exists (
        select from deliveries left_over where left_over.activity_id = activity.id
          and left_over.id not in (select id from expired))`.execute(db),
    );
    if (numAffectedRows !== undefined && numAffectedRows > 0n)
      app.log.info({ activities: String(numAffectedRows) }, 'deliveries expired');
  },
};
