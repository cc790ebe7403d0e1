import { AsyncLocalStorage } from 'node:async_hooks';

/** Values by the names of the semantic conventions of OpenTelemetry. Never personal data: docs/monitoring.md lists them. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** How a span begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** Other spans that caused this one, as their `traceParent`. */
  readonly links?: readonly string[];
}

/** A timed part of a trace. */
export interface Span {
  /** Its id and that of its trace, as the header `traceparent` of W3C Trace Context. */
  readonly traceParent: string;
  /** Whether it is sampled and has not ended. */
  readonly isRecording: boolean;
  startChild(start: SpanStart): Span;
  setAttributes(attributes: SpanAttributes): void;
  /** Ends it; as failed if `errorType` is set, the name or code of an error. Later calls do nothing. */
  end(errorType?: string): void;
}

/** Records the traces of an App, and sends them to a collector. */
export interface Tracing {
  /** Starts a span without a span around it. `traceParent`: the span that caused it, in this process or another. */
  start(start: SpanStart, traceParent?: string | null): Span;
  /** Sends what was recorded. Takes at most a few seconds, even if the collector does not respond. */
  close(): Promise<void>;
}

const activeSpan = new AsyncLocalStorage<Span | undefined>();

/** Without traces, nothing looks for the active span. */
let isTracing = false;

/** Returns the span that the current work belongs to. */
export const currentSpan = (): Span | undefined => (isTracing ? activeSpan.getStore() : undefined);

/** Runs `run` as part of a span. The caller ends the span. */
export function runInSpan<Result>(span: Span | undefined, run: () => Result): Result {
  isTracing = true;
  return activeSpan.run(span, run);
}

/** Runs `run` in a new span of the current trace, or without one if there is no trace. */
export function inChildSpan<Result>(start: SpanStart, run: (span?: Span) => Promise<Result>): Promise<Result> {
  const parent = currentSpan();
  return parent?.isRecording === true ? settle(parent.startChild(start), run) : run();
}

/** Runs stored work in a span of the trace that stored it, or of a new one. `run` alone without `tracing`. */
export function inStoredTrace<Result>(
  { tracing }: { readonly tracing?: Tracing | undefined },
  describe: () => SpanStart & { readonly traceParent: string | null },
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return run();
  const { traceParent, ...start } = describe();
  return settle(tracing.start(start, traceParent), run);
}

async function settle<Result>(span: Span, run: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    const result = await runInSpan(span, () => run(span));
    span.end();
    return result;
  } catch (error) {
    span.end(errorTypeOf(error));
    throw error;
  }
}

/** Returns the code or the class of an error. Its message may contain personal data. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER';
}

/**
 * Runs work that several callers share, in the trace of the first one that is recorded. Links lead to the traces of the
 * others.
 */
export function inSharedSpan<Result>(
  callers: readonly { readonly span?: Span | undefined }[],
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing) return run();
  const spans = callers.flatMap(({ span }) => (span?.isRecording === true ? [span] : []));
  const [first, ...others] = spans;
  if (first === undefined) return runInSpan(callers.find(({ span }) => span !== undefined)?.span, run);
  if (others.length === 0) return runInSpan(first, run);
  const links = others.map(({ traceParent }) => traceParent);
  return settle(first.startChild({ name: 'shared work', kind: 'internal', links }), run);
}
