import { defineCounter } from '../metrics/define-counter.ts';
import type { MetricSource } from '../metrics/metric-source.ts';

/** Reads of routes that allow a replica, by what answered them. */
export const replicaReads = defineCounter({
  name: 'fieldfare_replica_reads_total',
  help: 'Requests that a replica may answer, by what answered: its name, or primary',
  labels: ['database'],
});

export const replicaLag: MetricSource = {
  name: 'fieldfare_replica_lag_seconds',
  help: 'How far each replica is behind the primary, as this process sees it; none while it does not answer',
  kind: 'gauge',
  labels: ['replica'],
  collect: ({ replicas }) =>
    (replicas?.all ?? []).flatMap(({ name, lagMs }) =>
      lagMs === undefined ? [] : [{ labels: { replica: name }, value: lagMs / 1_000 }],
    ),
};
