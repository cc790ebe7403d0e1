import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { ConnectionTakeover } from '../platform/http/connection-takeover.ts';
import { HttpResponse, redirect } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import {
  get,
  routeOptions,
  type Caller,
  type CurrentUser,
  type RequestContext,
  type Route,
} from '../platform/http/routes.ts';
import { textBody } from '../platform/http/text-bodies.ts';
import { acceptEventSource } from './accept-event-source.ts';
import { acceptWebSocket, toStreamRequest } from './accept-websocket.ts';
import type { StreamUser } from './connections/connection.ts';
import { streamHub } from './connections/hub.ts';
import { refusals, tooManyConnections, unknownPath } from './errors.ts';
import { parseStream, readNotifications, readStatuses, type StreamRequest } from './parse-stream.ts';

/** Connections of one user to one process. */
const maxConnections = 100;

interface StreamingRequest {
  readonly app: App;
  readonly caller: Caller;
  readonly viewer: CurrentUser;
  readonly request: RequestContext;
}

/** Answers with the events of a stream; a WebSocket gets them as messages, and may open more streams. */
async function streamEvents(context: StreamingRequest, stream: StreamRequest): Promise<ConnectionTakeover> {
  const { app, caller, viewer, request } = context;
  if (request.isUpgrade) return openWebSocket(context, stream);
  const user = { ...caller, viewer, ip: request.ip };
  const parsed = await parseStream(app, user, stream);
  admit(app, user);
  return new ConnectionTakeover((exchange) => acceptEventSource(app, user, exchange, parsed));
}

/** Opens a WebSocket. `named`: its first stream, if the address names one. */
async function openWebSocket(
  { app, caller, viewer, request }: StreamingRequest,
  named: StreamRequest | undefined,
): Promise<ConnectionTakeover> {
  const user = { ...caller, viewer, ip: request.ip };
  const [stream] = await Promise.allSettled(named === undefined ? [] : [parseStream(app, user, named)]);
  admit(app, user);
  return new ConnectionTakeover((exchange) => {
    const { upgrade } = exchange;
    if (upgrade !== undefined) acceptWebSocket(app, user, exchange, { upgrade, stream });
  });
}

const options = {
  access: 'user',
  scope: readStatuses,
  refusals,
  redirect: redirectFromApiHost,
  response: Type.String({ description: 'text/event-stream: see docs/streaming.md' }),
} as const;

const tag = Type.Optional(Type.String({ description: 'Name of the hashtag, without #' }));
const list = Type.Optional(Type.String({ description: 'Id of the list' }));
const onlyMedia = Type.Optional(Type.Boolean({ description: 'Only posts with attachments' }));

const publicOptions = (name: 'public' | 'public:local' | 'public:remote', summary: string) =>
  routeOptions({
    summary,
    ...options,
    input: Type.Object({ only_media: onlyMedia }),
    handle: ({ input, ...context }) =>
      streamEvents(context, { name: input.only_media === true ? `${name}:media` : name }),
  });

const tagOptions = (name: 'hashtag' | 'hashtag:local', summary: string) =>
  routeOptions({
    summary,
    ...options,
    input: Type.Object({ tag }),
    handle: ({ input, ...context }) => streamEvents(context, { name, tag: input.tag }),
  });

const healthRoute = get('/api/v1/streaming/health', {
  summary: 'Check whether the streaming service is alive',
  access: 'anyone',
  rateLimit: 'none',
  ignoresBlocks: true,
  openInLimitedFederation: true,
  response: textBody('text/plain'),
  handle: () => new HttpResponse({ text: 'OK', headers: { 'content-type': 'text/plain; charset=utf-8' } }),
});

/** The streams, where the process serves them. */
export const streamRoutes: readonly Route[] = [
  healthRoute,
  get('/api/v1/streaming', {
    summary: 'Open a WebSocket for streams',
    ...options,
    // Which scope a stream needs is known when it is named.
    scope: `${readStatuses}|${readNotifications}`,
    input: Type.Object({ stream: Type.Optional(Type.String({ description: 'Name of the first stream' })), list, tag }),
    handle: (context) => {
      if (!context.request.isUpgrade) throw unknownPath();
      return openWebSocket(context, streamOf(context.request));
    },
  }),
  get('/api/v1/streaming/user', {
    summary: 'Stream the home timeline and notifications',
    ...options,
    handle: (context) => streamEvents(context, { name: 'user' }),
  }),
  get('/api/v1/streaming/user/notification', {
    summary: 'Stream notifications',
    ...options,
    scope: readNotifications,
    handle: (context) => streamEvents(context, { name: 'user:notification' }),
  }),
  get('/api/v1/streaming/public', publicOptions('public', 'Stream public posts')),
  get('/api/v1/streaming/public/local', publicOptions('public:local', 'Stream local public posts')),
  get('/api/v1/streaming/public/remote', publicOptions('public:remote', 'Stream remote public posts')),
  get('/api/v1/streaming/hashtag', tagOptions('hashtag', 'Stream public posts with a hashtag')),
  get('/api/v1/streaming/hashtag/local', tagOptions('hashtag:local', 'Stream local public posts with a hashtag')),
  get('/api/v1/streaming/list', {
    summary: 'Stream posts of a list',
    ...options,
    input: Type.Object({ list }),
    handle: ({ input, ...context }) => streamEvents(context, { name: 'list', list: input.list }),
  }),
  get('/api/v1/streaming/direct', {
    summary: 'Stream conversations',
    ...options,
    handle: (context) => streamEvents(context, { name: 'direct' }),
  }),
  get('/api/v1/streaming/*', {
    summary: 'Refuse unknown streams',
    access: 'anyone',
    undocumented: true,
    openInLimitedFederation: true,
    redirect: redirectFromApiHost,
    response: Type.String(),
    handle: () => {
      throw unknownPath();
    },
  }),
];

/** The same paths where another process serves streams. */
export const redirectRoutes: readonly Route[] = ['/api/v1/streaming', '/api/v1/streaming/*'].map((path) =>
  get(path, {
    summary: 'Redirect to the streaming service',
    access: 'anyone',
    undocumented: true,
    openInLimitedFederation: true,
    redirect: redirectToStreamingHost,
    response: Type.String(),
    handle: () => {
      throw notFound('http.notFound');
    },
  }),
);

/** Throws 429 for a user with very many connections. */
function admit(app: App, { viewer }: StreamUser): void {
  if (streamHub(app).countOf(viewer.accountId) >= maxConnections) throw tooManyConnections();
}

/** The stream in the query of a WebSocket request. */
function streamOf({ url }: RequestContext): StreamRequest | undefined {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  return toStreamRequest(Object.fromEntries([...query].toReversed()));
}

/**
 * Redirects requests that reach the host of the API to STREAMING_BASE_URL. Any other host is one of streams. WebSockets of the
 * web client are served: browsers follow no redirects of WebSockets, and send its cookie to no other host.
 */
function redirectFromApiHost(app: App, request: RequestContext): HttpResponse | undefined {
  const { headers, isUpgrade } = request;
  if (headers['host'] !== app.config.webDomain) return undefined;
  if (isUpgrade && headers['origin'] === new URL(app.config.baseUrl).origin) return undefined;
  return redirectToStreamingHost(app, request);
}

/** Redirects to STREAMING_BASE_URL, unless the setting is empty or the request was sent to it. */
function redirectToStreamingHost({ config }: App, { headers, url }: RequestContext): HttpResponse | undefined {
  if (config.STREAMING_BASE_URL === undefined) return undefined;
  const { host, protocol } = new URL(config.STREAMING_BASE_URL);
  if (headers['host'] === host) return undefined;
  return redirect(`${protocol.replace('ws', 'http')}//${host}${url}`, 301);
}
