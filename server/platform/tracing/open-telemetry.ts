import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span as OpenTelemetrySpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { warnThrottled } from '../temporary-failures.ts';
import { toError } from '../errors.ts';
import { version } from '../version.ts';
import type { Span, SpanAttributes, SpanStart, Tracing } from './span.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** Maximum time for the collector to accept spans, also for the last ones when the server stops. */
const exportTimeoutMs = 5_000;
const logIntervalMs = 60_000;

/** Records traces and sends them to the collector at OTEL_EXPORTER_OTLP_ENDPOINT. */
export function createTracing(config: Config, log: Logger, endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/u, '')}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    sampler: createSampler(config),
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': config.OTEL_SERVICE_NAME,
        'service.version': version,
        ...config.OTEL_RESOURCE_ATTRIBUTES,
      }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportFailures(exporter, log), exportTimeoutMillis: 2 * exportTimeoutMs }),
    ],
  });
  const tracer = provider.getTracer('fieldfare', version);
  return {
    start: (start, traceParent) => new RecordedSpan(tracer, start, parseTraceParent(traceParent)),
    close: () => provider.shutdown(),
  };
}

function createSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const rootName = name.replace('parentbased_', '');
  const root =
    rootName === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : rootName === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return rootName === name ? root : new ParentBasedSampler({ root });
}

/** Logs failures to export, at most once a minute. The spans are lost. */
const reportFailures = (exporter: SpanExporter, log: Logger): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) {
        const reason = toError(result.error).message || toError(result.error).name;
        warnThrottled(log, 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces', { reason }, logIntervalMs);
      }
      done({ code: 0 });
    }),
  shutdown: () => exporter.shutdown(),
});

const traceParentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/u;

/** Parses a `traceparent` of W3C Trace Context. Returns undefined for invalid ones. */
function parseTraceParent(text: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceParentPattern.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

class RecordedSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: OpenTelemetrySpan;
  readonly traceParent: string;

  constructor(tracer: Tracer, { name, kind, attributes = {}, links = [] }: SpanStart, parent: SpanContext | undefined) {
    this.#tracer = tracer;
    const options = {
      kind: kinds[kind],
      attributes,
      links: links.flatMap((link) => parseTraceParent(link) ?? []).map((context) => ({ context })),
    };
    this.#span = tracer.startSpan(
      name,
      options,
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    this.traceParent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  startChild(start: SpanStart): Span {
    return new RecordedSpan(this.#tracer, start, this.#span.spanContext());
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(errorType?: string): void {
    if (!this.#span.isRecording()) return;
    if (errorType !== undefined)
      this.#span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
