import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Tracing } from './span.ts';

/** Returns what records traces; undefined without OTEL_EXPORTER_OTLP_ENDPOINT: the packages are not loaded then. */
export async function startTracing(config: Config, log: Logger): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(config, log, endpoint);
}
