import { findAccount } from '../../accounts/find/index.ts';
import { loadSigningKeys } from '../../accounts/keys/index.ts';
import type { App } from '../../platform/app.ts';
import { backgroundShare } from '../../platform/batching/loop-share.ts';
import { FairSemaphore } from '../../platform/fair-semaphore.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing/outgoing.ts';
import { retryAfterSeconds } from '../../platform/outgoing/retry-after.ts';
import { describeTemporaryFailure } from '../../platform/temporary-failures.ts';
import { signRequest, signRequestAsync } from '../signatures/sign-request.ts';
import type { Dialect, KeyType } from '../signatures/signed-request.ts';
import { maxDeliveryAgeSeconds } from './expire-deliveries.ts';
import type { ClaimedDelivery, HostState } from './claim-deliveries.ts';
import { remoteFollowersDigest } from './followers-digest.ts';
import { synchronizationHeaderName, formatSynchronizationHeader } from './synchronization-header.ts';

/**
 * The result of a delivery. `refused`: permanent. `gone`: the inbox was removed. `not_found`: the inbox does not exist
 * now, which says nothing about others on the host. `deferred`: the host is up and asked to wait. `failed`: the host is
 * down or broken. `responseMs` is the time from the request to the response.
 */
export type SendOutcome =
  | { readonly kind: 'done'; readonly dialect: Dialect; readonly responseMs: number }
  | { readonly kind: 'refused' | 'gone' | 'not_found' | 'failed'; readonly reason: string }
  | { readonly kind: 'deferred'; readonly seconds: number; readonly reason: string };

const contentType = 'application/activity+json';

/**
 * Signatures at a time: as many as there are threads for them, so that files and password hashes wait for at most one
 * round of signatures. Senders take turns, and each sender's deliveries to hosts that failed or were never reached take
 * turns with the others.
 */
const signingSlots = new FairSemaphore(5);

/** Deliveries begin one after the other, in the same turns as signatures, with a share of the event loop. */
const turns = new FairSemaphore(1);

interface TimedResponse extends OutgoingResponse {
  readonly responseMs: number;
}

/** A result, and whether the host refused an Ed25519 signature before. */
type SendResult = SendOutcome & { readonly refusesEd25519?: boolean };

/** Statuses that say nothing about a signature: the inbox is missing, or the host is busy or down. */
const unrelatedToSignatures: ReadonlySet<number> = new Set([404, 408, 410, 425, 429, 502, 503, 504]);

/**
 * Sends a signed activity. If the host is known to verify Ed25519 but refuses it or fails, sends it again with RSA at
 * once. With RSA, retries once in the other signature dialect if the host rejects the first.
 */
export async function sendActivity(app: App, delivery: ClaimedDelivery, host: HostState): Promise<SendResult> {
  try {
    await turns.run(signingQueue(delivery), () => backgroundShare.next());
    if (!host.acceptsEd25519) return await sendWithRsa(app, delivery, host.dialect);
    const response = await postSigned(app, delivery, { dialect: 'rfc9421', keyType: 'ed25519' });
    if (response.status < 400 || unrelatedToSignatures.has(response.status))
      return toOutcome(app, response, host.dialect);
    return { ...(await sendWithRsa(app, delivery, host.dialect)), refusesEd25519: true };
  } catch (error) {
    // The sender was deleted, including its key.
    if (error instanceof HttpError) return { kind: 'refused', reason: error.message };
    if (!(error instanceof OutgoingError)) throw error;
    // Of this machine or its proxy: otherwise every host would seem to be down.
    if (describeTemporaryFailure(error.cause) !== undefined) throw error.cause;
    return { kind: error.reason === 'refused' ? 'refused' : 'failed', reason: error.message };
  }
}

async function sendWithRsa(app: App, delivery: ClaimedDelivery, dialect: Dialect): Promise<SendOutcome> {
  const first = await postSigned(app, delivery, { dialect, keyType: 'rsa' });
  if (first.status !== 401 && first.status !== 400) return toOutcome(app, first, dialect);
  const other: Dialect = dialect === 'cavage' ? 'rfc9421' : 'cavage';
  const second = await postSigned(app, delivery, { dialect: other, keyType: 'rsa' });
  return second.status < 300 ? toOutcome(app, second, other) : toOutcome(app, first, dialect);
}

async function postSigned(
  app: App,
  delivery: ClaimedDelivery,
  { dialect, keyType }: { readonly dialect: Dialect; readonly keyType: KeyType },
): Promise<TimedResponse> {
  const { inboxUrl, activity } = delivery;
  const { senderId, body, digest } = activity;
  const keys = await loadSigningKeys(app, senderId);
  const key = keys[keyType] ?? keys.rsa;
  const synchronization = activity.includesFollowersDigest ? await loadSynchronizationHeader(app, delivery) : undefined;
  const request = {
    method: 'POST',
    url: inboxUrl,
    digest,
    contentType,
    now: app.clock.now(),
    extraHeaders: synchronization === undefined ? {} : { [synchronizationHeaderName]: synchronization },
  } as const;
  const signed =
    keyType === 'ed25519' && key === keys.ed25519
      ? signRequest(dialect, request, key)
      : await signingSlots.run(signingQueue(delivery), () => signRequestAsync(dialect, request, key));
  const headers = { 'content-type': contentType, ...signed };
  const start = performance.now();
  const options = { method: 'POST', headers, body, ignoreBody: true, isIdempotent: true, isBulk: true } as const;
  const response = await app.outgoing.request(inboxUrl, options);
  return { ...response, responseMs: performance.now() - start };
}

const signingQueue = ({ activity: { senderId }, hostState: { failures, lastSuccessAt } }: ClaimedDelivery): string =>
  `${senderId} ${failures === 0 && lastSuccessAt !== undefined}`;

/**
 * Returns the header with the digest of the sender's followers on the host; undefined for a sender with very many
 * followers.
 */
async function loadSynchronizationHeader(app: App, { activity, host }: ClaimedDelivery): Promise<string | undefined> {
  const { senderId } = activity;
  const [sender, digest] = await Promise.all([findAccount(app, senderId), remoteFollowersDigest(app, senderId, host)]);
  return sender === undefined || digest === undefined
    ? undefined
    : formatSynchronizationHeader(app, sender.uri, digest);
}

function toOutcome(app: App, { status, headers, responseMs }: TimedResponse, dialect: Dialect): SendOutcome {
  const reason = `the inbox answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'done', dialect, responseMs };
  if (status === 410) return { kind: 'gone', reason };
  if (status === 404) return { kind: 'not_found', reason };
  if (status === 429 || status >= 500) {
    const seconds = retryAfterSeconds(app, headers['retry-after'], maxDeliveryAgeSeconds);
    if (seconds !== undefined) return { kind: 'deferred', seconds, reason };
  }
  // Redirects are not followed, because the signature covers the original URL.
  const isPermanent = status < 500 && status !== 401 && status !== 408 && status !== 425 && status !== 429;
  return { kind: isPermanent ? 'refused' : 'failed', reason };
}
