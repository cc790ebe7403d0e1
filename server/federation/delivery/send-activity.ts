import { findAccount, signingKey } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { Problem } from '../../platform/http/problems.ts';
import { OutgoingError, type OutgoingResponse } from '../../platform/outgoing.ts';
import { signRequestAside } from '../signatures/sign-request.ts';
import type { Dialect } from '../signatures/signed-request.ts';
import { remoteFollowersDigest } from '../synchronisation/followers-digest.ts';
import { synchronizationHeader, writeSynchronization } from '../synchronisation/header.ts';
import { giveUpSeconds } from './give-up.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * The result of a delivery. `refused`: never to be tried again; `gone`: the inbox does not exist any more; `missing`: it
 * does not exist now, which says nothing about others of its host; `later`: the host is up and asks to wait; `failed`: the
 * host is down or broken.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly dialect: Dialect }
  | { readonly kind: 'refused' | 'gone' | 'missing' | 'failed'; readonly reason: string }
  | { readonly kind: 'later'; readonly seconds: number; readonly reason: string };

const contentType = 'application/activity+json';

/** Sends a signed activity once, or twice when the host turns out to want the other dialect. */
export async function sendActivity(app: App, delivery: ClaimedDelivery, dialect: Dialect): Promise<Outcome> {
  try {
    const first = await post(app, delivery, dialect);
    if (first.status !== 401 && first.status !== 400) return outcomeOf(app, first, dialect);
    const other: Dialect = dialect === 'cavage' ? 'rfc9421' : 'cavage';
    const second = await post(app, delivery, other);
    return second.status < 300 ? outcomeOf(app, second, other) : outcomeOf(app, first, dialect);
  } catch (error) {
    // The sender's account is gone, and its key with it.
    if (error instanceof Problem) return { kind: 'refused', reason: error.message };
    if (!(error instanceof OutgoingError)) throw error;
    return { kind: error.reason === 'refused' ? 'refused' : 'failed', reason: error.message };
  }
}

async function post(app: App, delivery: ClaimedDelivery, dialect: Dialect): Promise<OutgoingResponse> {
  const { inboxUrl, senderId, body, digest } = delivery;
  const key = await signingKey(app, senderId);
  const synchronization = delivery.tellsFollowers ? await synchronizationOf(app, delivery) : undefined;
  const request = {
    method: 'POST',
    url: inboxUrl,
    digest,
    contentType,
    now: app.clock.now(),
    ...(synchronization !== undefined && { further: { [synchronizationHeader]: synchronization } }),
  } as const;
  const headers = { 'content-type': contentType, ...(await signRequestAside(dialect, request, key)) };
  return app.outgoing.request(inboxUrl, { method: 'POST', headers, body, ignoreBody: true });
}

/** Whom we hold to be the sender's followers where this goes; undefined for one with very many. */
async function synchronizationOf(app: App, { senderId, host }: ClaimedDelivery): Promise<string | undefined> {
  const [sender, digest] = await Promise.all([findAccount(app, senderId), remoteFollowersDigest(app, senderId, host)]);
  return sender === undefined || digest === undefined ? undefined : writeSynchronization(app, sender.username, digest);
}

function outcomeOf(app: App, { status, headers }: OutgoingResponse, dialect: Dialect): Outcome {
  const reason = `the inbox answered ${status}`;
  if (status >= 200 && status < 300) return { kind: 'done', dialect };
  if (status === 410) return { kind: 'gone', reason };
  if (status === 404) return { kind: 'missing', reason };
  if (status === 429 || status >= 500) {
    const seconds = waitOf(app, headers['retry-after']);
    if (seconds !== undefined) return { kind: 'later', seconds, reason };
  }
  // A redirect is not followed: what was signed for one address is not for another.
  const isPermanent = status < 500 && status !== 401 && status !== 408 && status !== 425 && status !== 429;
  return { kind: isPermanent ? 'refused' : 'failed', reason };
}

/** Returns the seconds that a `Retry-After` asks for; what waits longer than deliveries live is given up anyway. */
function waitOf(app: App, field: string | undefined): number | undefined {
  if (field === undefined) return undefined;
  const seconds = /^\d+$/.test(field.trim()) ? Number(field) : (Date.parse(field) - app.clock.now().getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), giveUpSeconds);
}
