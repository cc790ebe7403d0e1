import { sql } from 'kysely';
import { queryWithTimeout } from '../../platform/database/query-with-timeout.ts';
import { defineCounter } from '../../platform/metrics/define-counter.ts';
import type { MetricSource, Sample } from '../../platform/metrics/metric-source.ts';

/** Attempts to deliver an activity to an inbox, by result. */
export const deliveryResults = defineCounter({
  name: 'fieldfare_delivery_attempts_total',
  help: 'Attempts of this process to deliver activities to inboxes',
  labels: ['result'],
});

const waitingDeliveries: MetricSource = {
  name: 'fieldfare_deliveries',
  help: 'Deliveries that wait for their inboxes, in the whole instance; retrying: at least one attempt failed; paused: staff stopped them',
  kind: 'gauge',
  labels: ['state'],
  collect: (app) =>
    queryWithTimeout<Sample>(
      app,
      sql`select json_build_object('state', state) as labels, count(*)::float8 as value
        from (select case when run_at = 'infinity' then 'paused' when attempts > 0 then 'retrying' else 'new' end as state
          from deliveries) delivery
        group by state`,
      { timeoutMs: 2_000 },
    ),
};

export const deliveryMetrics: readonly MetricSource[] = [deliveryResults.source, waitingDeliveries];
