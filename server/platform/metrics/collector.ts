import type { Histogram, Registry } from 'prom-client';
import { perApp, type App } from '../app.ts';
import { version } from '../version.ts';
import { defineCounter } from './define-counter.ts';
import type { MetricSource } from './metric-source.ts';

/** A request that was answered. */
export interface ObservedRequest {
  readonly method: string;
  /** Pattern of the route; undefined: there is none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** Collects the metrics of a process. */
interface Collector {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'method' | 'route'>;
}

const collectors = perApp((): { current: Collector | undefined } => ({ current: undefined }));

const requests = defineCounter({
  name: 'fieldfare_http_requests_total',
  help: 'Requests that this process answered',
  labels: ['method', 'route', 'status'],
});

/** Gauges of prom-client with names of counters. Each is the sum of the metric without `_total`. */
const misnamedMetrics = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** In seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whether the settings ask for metrics. */
export const hasMetrics = ({ config }: App): boolean =>
  config.METRICS_PORT !== undefined || config.METRICS_TOKEN !== undefined;

/** Counts a request and its time. No-op before `startMetrics`. */
export function observeRequest(app: App, { method, route = 'unknown', status, seconds }: ObservedRequest): void {
  const { current } = collectors(app);
  if (current === undefined) return;
  requests.increment(app, { method, route, status: String(status) });
  current.requestSeconds.observe({ method, route }, seconds);
}

/** Starts to measure. The library is loaded only now, so that servers without metrics need no memory for it. */
export async function startMetrics(app: App, sources: readonly MetricSource[]): Promise<void> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedMetrics) registry.removeSingleMetric(name);
  new Gauge({
    name: 'fieldfare_info',
    help: 'The version of this process',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  for (const source of [requests.source, ...sources]) {
    const { name, help, labels } = source;
    const options = { name, help, labelNames: [...labels], registers: [] };
    registry.registerMetric(
      source.kind === 'counter'
        ? new Counter({ ...options, collect: collectInto(app, source, 'inc') })
        : new Gauge({ ...options, collect: collectInto(app, source, 'set') }),
    );
  }
  const requestSeconds = new Histogram({
    name: 'fieldfare_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, without streams',
    labelNames: ['method', 'route'] as const,
    buckets: requestBuckets,
    registers: [registry],
  });
  collectors(app).current = { registry, requestSeconds };
}

/** Returns a function that replaces the samples of a metric. A source that fails has no samples, so the others are seen. */
function collectInto<Method extends 'inc' | 'set'>(app: App, source: MetricSource, method: Method) {
  return async function collect(
    this: { reset: () => void } & Record<Method, (labels: Record<string, string>, value: number) => void>,
  ): Promise<void> {
    try {
      const samples = await source.collect(app);
      this.reset();
      for (const { labels, value } of samples) this[method](labels, value);
    } catch (error) {
      this.reset();
      app.log.warn({ err: error, metric: source.name }, 'a metric could not be collected');
    }
  };
}

/** Returns the metrics in the text format of Prometheus; undefined before `startMetrics`. */
export async function renderMetrics(app: App): Promise<{ readonly text: string; readonly type: string } | undefined> {
  const { current } = collectors(app);
  return current && { text: await current.registry.metrics(), type: current.registry.contentType };
}
