import type { App } from '../app.ts';

/** One value of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is read when metrics are collected. */
export interface MetricSource {
  /** As Prometheus recommends: `fieldfare_`, snake case, the unit, and `_total` for counters. */
  readonly name: string;
  readonly help: string;
  /** `counter` only grows while the process runs. */
  readonly kind: 'counter' | 'gauge';
  readonly labels: readonly string[];
  readonly collect: (app: App) => readonly Sample[] | Promise<readonly Sample[]>;
}

/** Returns the value of a metric without labels, as `collect` returns it. */
export const singleSample = (value: number): readonly Sample[] => [{ labels: {}, value }];
