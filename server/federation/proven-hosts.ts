import { sql, type RawBuilder } from 'kysely';
import type { App } from '../platform/app.ts';

const provenWithinDays = 7;

/**
 * Condition that a host accepted a delivery in the last days and none failed since. Work for such hosts takes
 * precedence over work for hosts that were never reached.
 */
export function isProvenHost(app: App, host: RawBuilder<unknown>): RawBuilder<boolean> {
  const since = new Date(app.clock.now().getTime() - provenWithinDays * 86_400_000);
  return sql<boolean>`exists (select from hosts proven
    where proven.domain = ${host} and proven.failures = 0 and proven.last_success_at > ${since})`;
}
