import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as the collector received it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string }[];
  readonly status?: { readonly code?: number };
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry that stores the traces that it receives. */
export class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** Bodies and headers of the requests. */
  readonly requests: { readonly url: string | undefined; readonly token: string | undefined; readonly body: string }[] =
    [];
  /** How it answers; undefined: not at all. */
  status: number | undefined = 200;
  readonly #http: Server;

  private constructor(http: Server) {
    this.#http = http;
    http.on('request', (request, response) => void this.#answer(request, response));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.requests.push({ url: request.url, token: request.headers.authorization, body });
    if (this.status === undefined) return;
    if (this.status === 200) this.spans.push(...toSpans(JSON.parse(body) as OtlpRequest));
    response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
  }

  static async start(): Promise<Collector> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return new Collector(http);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Returns the spans of the trace of the first span with this name, of any service or of this one. */
  traceOf(name: string, service?: string): ReceivedSpan[] {
    const start = this.spans.find((span) => span.name === name && (service === undefined || span.service === service));
    if (start === undefined) throw new Error(`no span is named ${name}: ${this.spans.map((span) => span.name).join()}`);
    return this.spans.filter(({ traceId }) => traceId === start.traceId);
  }

  /** Refuses connections from then on. */
  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const toSpans = ({ resourceSpans }: OtlpRequest): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, links = [], status, parentSpanId, ...span }) => ({
        ...span,
        parentSpanId,
        service: String(toAttributes(resource.attributes)['service.name']),
        attributes: toAttributes(attributes),
        links: links.map(({ traceId }) => traceId),
        isFailed: status?.code === 2,
      })),
    ),
  );

const toAttributes = (list: readonly OtlpAttribute[]): Record<string, string | number> =>
  Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));
