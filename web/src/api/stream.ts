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

const minRetryMs = 1_000;
const maxRetryMs = 60_000;
/** Silence after which the server is asked whether the connection is alive. */
const silenceMs = 30_000;
/** How long the server has to answer, or the connection to open. */
const answerMs = 10_000;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let livenessTimer: ReturnType<typeof setTimeout> | undefined;

const keyOf = ({ stream, tag, list }: StreamName): string => [stream, tag ?? list].filter(Boolean).join(':');

/** Opens the WebSocket to the origin of this page, which alone gets its cookie, and keeps it open. */
export function openStreams(): void {
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

/** Connects at once, or asks whether the connection is alive: the network or the computer was away. */
function reconnectNow(): void {
  if (socket !== undefined) return askForLife();
  retryMs = 0;
  connect();
}

function connect(): void {
  clearTimeout(retryTimer);
  const opened = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/streaming`);
  socket = opened;
  replaceAfter(answerMs);
  opened.addEventListener('open', () => {
    if (socket !== opened) return;
    retryMs = 0;
    isStreaming.value = true;
    awaitMessages();
    for (const name of new Map([...subscriptions].map(({ name }) => [keyOf(name), name])).values())
      send('subscribe', name);
    for (const { onOpen } of subscriptions) onOpen();
  });
  opened.addEventListener('message', ({ data }) => {
    if (socket !== opened) return;
    awaitMessages();
    receive(String(data));
  });
  opened.addEventListener('close', () => {
    if (socket === opened) reconnectLater();
  });
}

function reconnectLater(): void {
  clearTimeout(livenessTimer);
  isStreaming.value = false;
  socket = undefined;
  retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, retryMs * 2));
  retryTimer = setTimeout(
    () => {
      if (subscriptions.size > 0) connect();
    },
    retryMs * (0.5 + Math.random()),
  );
}

function awaitMessages(): void {
  clearTimeout(livenessTimer);
  livenessTimer = setTimeout(askForLife, silenceMs);
}

/** Sends a message that the server answers. A WebSocket whose network is gone stays open for minutes, without a sign. */
function askForLife(): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(JSON.stringify({ type: 'ping' }));
  replaceAfter(answerMs);
}

/** Gives up the WebSocket if nothing arrives in time. Its end may be reported minutes later. */
function replaceAfter(ms: number): void {
  clearTimeout(livenessTimer);
  livenessTimer = setTimeout(() => {
    const dead = socket;
    reconnectLater();
    dead?.close();
  }, ms);
}

function receive(data: string): void {
  const message = JSON.parse(data) as { stream?: readonly string[]; event?: string; payload?: string };
  const { stream, event, payload } = message;
  if (stream === undefined || event === undefined) return;
  const key = stream.join(':');
  for (const { name, onEvent } of subscriptions) if (keyOf(name) === key) onEvent({ event, payload });
}
