import { signal } from '@preact/signals';

/** An event of a stream. `payload` is text: JSON for statuses and notifications, an id for `delete`. */
export interface StreamEvent {
  readonly event: string;
  readonly payload: string | undefined;
}

/** A stream and its parameters: `user`, `public:local`, `hashtag` with `tag`, `list` with `list`. */
export interface StreamName {
  readonly stream: string;
  readonly tag?: string;
  readonly list?: string;
}

interface Subscription {
  readonly name: StreamName;
  readonly onEvent: (event: StreamEvent) => void;
  /** Called when the WebSocket opens after the subscription began: events may have been missed until then. */
  readonly onOpen: () => void;
}

/** Whether the one WebSocket of the client is open. */
export const isStreaming = signal(false);

const subscriptions = new Set<Subscription>();
let socket: WebSocket | undefined;
let retryMs = 0;
let url = '';

const minRetryMs = 1_000;
const maxRetryMs = 60_000;

const keyOf = ({ stream, tag, list }: StreamName): string => [stream, tag ?? list].filter(Boolean).join(':');

/** Opens the WebSocket and keeps it open. `origin`: `configuration.urls.streaming` of the instance. */
export function openStreams(origin: string): void {
  url = `${origin.replace(/^http/, 'ws').replace(/\/$/, '')}/api/v1/streaming`;
  if (socket !== undefined) return;
  globalThis.addEventListener('online', reconnectNow);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') reconnectNow();
  });
  connect();
}

/** Subscribes to a stream. Returns a function that ends the subscription. */
export function subscribe(name: StreamName, handlers: Omit<Subscription, 'name'>): () => void {
  const subscription = { name, ...handlers };
  if (!isSubscribed(name)) send('subscribe', name);
  subscriptions.add(subscription);
  return () => {
    subscriptions.delete(subscription);
    if (!isSubscribed(name)) send('unsubscribe', name);
  };
}

const isSubscribed = (name: StreamName): boolean =>
  [...subscriptions].some((subscription) => keyOf(subscription.name) === keyOf(name));

function send(type: 'subscribe' | 'unsubscribe', name: StreamName): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...name }));
}

function reconnectNow(): void {
  if (socket !== undefined) return;
  retryMs = 0;
  connect();
}

function connect(): void {
  const opened = new WebSocket(url);
  socket = opened;
  opened.addEventListener('open', () => {
    retryMs = 0;
    isStreaming.value = true;
    for (const name of new Map([...subscriptions].map(({ name }) => [keyOf(name), name])).values())
      send('subscribe', name);
    for (const { onOpen } of subscriptions) onOpen();
  });
  opened.addEventListener('message', ({ data }) => receive(String(data)));
  opened.addEventListener('close', () => {
    isStreaming.value = false;
    socket = undefined;
    retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, retryMs * 2));
    setTimeout(
      () => {
        if (socket === undefined && subscriptions.size > 0) connect();
      },
      retryMs * (0.5 + Math.random()),
    );
  });
}

function receive(data: string): void {
  const message = JSON.parse(data) as { stream?: readonly string[]; event?: string; payload?: string };
  const { stream, event, payload } = message;
  if (stream === undefined || event === undefined) return;
  const key = stream.join(':');
  for (const { name, onEvent } of subscriptions) if (keyOf(name) === key) onEvent({ event, payload });
}
