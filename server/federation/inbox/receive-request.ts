import type { App } from '../../platform/app.ts';
import { empty, type Answer } from '../../platform/http/answers.ts';
import { badRequest, forbidden, Problem } from '../../platform/http/problems.ts';
import type { RequestFacts } from '../../platform/http/routes.ts';
import { FetchBudget, withFetchBudget } from '../../platform/fetch-budget.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isActivityType, parseMediaType } from '../documents/media-type.ts';
import { DocumentError, parseDocument } from '../documents/parse-document.ts';
import { hostOf, idOf, typeOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { recordSignOfLife } from '../host-health.ts';
import { findKnownKey, type KnownKey } from '../keys/find-key.ts';
import { readClaim, verifyClaim } from '../signatures/verify-request.ts';
import { compareFollowers } from '../synchronisation/compare-followers.ts';
import { synchronizationHeader } from '../synchronisation/header.ts';
import { acceptActivity, wasReceived } from './accept-activity.ts';
import { countAccepted, requireRoom, requireRoomFor } from './backlog.ts';
import { collectedActivities } from './collected-activities.ts';
import { activityKey, settledKey, undoneKey, type RequestParts } from './activity-key.ts';

/**
 * Accepts an activity, or a collection of them: refuses cheaply what can be refused without a key, verifies who sent it,
 * stores it and answers 202. It is handled by a worker, never here. What the signature check fetches counts for the
 * activity.
 */
export async function receiveRequest(root: App, request: RequestFacts, inboxAccountId?: AccountId): Promise<Answer> {
  requireActivityType(request);
  const budget = new FetchBudget(root);
  const app = withFetchBudget(root, budget);
  await requireRoom(app);
  const { activity, collected } = readBody(request);
  if (collected !== undefined)
    return receiveCollected(app, { request, inboxAccountId, budget }, { activity, collected });
  const actorUri = idOf(activity['actor']) ?? (await implied(app, request, activity));
  const host = hostOf(actorUri);
  if (actorUri === undefined || host === undefined) throw badRequest('The activity names no actor');
  if (host === app.config.webDomain) throw badRequest('The activity is our own');
  if (await isBlockedDomain(app, host)) throw forbidden();
  const claim = readClaim(app, request);
  const body = request.rawBody ?? Buffer.alloc(0);
  const parts = { inboxAccountId, body, signature: signatureOf(request) };
  const known = await findKnownKey(app, claim.keyId);
  if (known === undefined && (await isSettled(app, { activity, actorUri, parts }))) return empty(202);
  const signer = await verifyClaim(app, claim);
  if (!isWelcome(signer, activity)) return empty(202);
  requireRoomFor(app, signer.actorUri);
  await recordSignOfLife(app, hostOf(signer.actorUri) ?? '');
  await accept(app, { request, inboxAccountId, budget, signer }, { activity, actorUri, body });
  const synchronization = request.headers[synchronizationHeader];
  if (synchronization !== undefined && signer.actorUri === actorUri)
    await compareFollowers(app, signer, String(synchronization));
  return empty(202);
}

/** A request that brings activities. */
interface Arrival {
  readonly request: RequestFacts;
  readonly inboxAccountId: AccountId | undefined;
  readonly budget: FetchBudget;
}

/**
 * Accepts the activities of a collection that are the signer's own; those of others are left out. They share one fetch
 * budget.
 */
async function receiveCollected(app: App, arrival: Arrival, { activity, collected }: ReadBody): Promise<Answer> {
  const signer = await verifyClaim(app, readClaim(app, arrival.request));
  requireRoomFor(app, signer.actorUri);
  await recordSignOfLife(app, hostOf(signer.actorUri) ?? '');
  const isOwn = (item: Json): boolean => (idOf(item['actor']) ?? signer.actorUri) === signer.actorUri;
  const welcome = isOwn(activity) ? (collected ?? []).filter((item) => isOwn(item) && isWelcome(signer, item)) : [];
  await Promise.all(
    welcome.map((item) => {
      const own = { ...item, actor: signer.actorUri };
      const body = Buffer.from(JSON.stringify(own));
      return accept(app, { ...arrival, signer }, { activity: own, actorUri: signer.actorUri, body });
    }),
  );
  return empty(202);
}

/** Stores a verified activity; drops it if its id and its actor are on different hosts. */
async function accept(
  app: App,
  { request, inboxAccountId, budget, signer }: Arrival & { readonly signer: KnownKey },
  { activity, actorUri, body }: { activity: Json; actorUri: string; body: Buffer },
): Promise<void> {
  const key = activityKey(activity, { actorUri, signer, inboxAccountId, body, signature: signatureOf(request) });
  if (key === undefined) return;
  const forwarded = signer.actorUri !== actorUri;
  await acceptActivity(app, {
    key,
    undoes: forwarded ? undefined : undoneKey(activity, actorUri),
    actorUri,
    signerUri: signer.actorUri,
    inboxAccountId,
    forwarded,
    body: String(body),
    fetchBudgetId: await budget.store(),
  });
  countAccepted(app, signer.actorUri);
}

const signatureOf = ({ headers }: RequestFacts): string => String(headers['signature']);

/**
 * Throws 415 for a body that says it is something else. Some small servers send plain JSON, or no type at all; JSON-LD of
 * another profile is not ActivityStreams.
 */
function requireActivityType({ headers }: RequestFacts): void {
  const type = headers['content-type'];
  if (type === undefined || isActivityType(String(type)) || parseMediaType(String(type)).type === 'application/json')
    return;
  throw new Problem(415, 'The body must be application/activity+json');
}

/** A FeatureRequest need not say whose it is: then it is of whoever signed it. */
async function implied(app: App, request: RequestFacts, activity: Json): Promise<string | undefined> {
  if (typeOf(activity) !== 'FeatureRequest') return undefined;
  return (await verifyClaim(app, readClaim(app, request))).actorUri;
}

interface ReadBody {
  /** The body: an activity, or a collection of them. */
  readonly activity: Json;
  /** The activities of a collection in their order; undefined for a single activity. */
  readonly collected: readonly Json[] | undefined;
}

function readBody({ rawBody }: RequestFacts): ReadBody {
  try {
    const activity = parseDocument(rawBody ?? Buffer.alloc(0));
    return { activity, collected: collectedActivities(activity) };
  } catch (error) {
    if (error instanceof DocumentError) throw badRequest(error.message);
    throw error;
  }
}

/** An activity that is not verified yet. */
interface Claimed {
  readonly activity: Json;
  readonly actorUri: string;
  readonly parts: RequestParts;
}

/** Whether an activity of which we do not hold the key needs no look: it was received before, or ends an unknown actor. */
async function isSettled(app: App, { activity, actorUri, parts }: Claimed): Promise<boolean> {
  const key = settledKey(activity, actorUri, parts);
  if (key !== undefined && (await wasReceived(app, key))) return true;
  if (typeOf(activity) !== 'Delete' || idOf(activity['object']) !== actorUri) return false;
  const account = await app.db.selectFrom('accounts').select('id').where('uri', '=', actorUri).executeTakeFirst();
  return account === undefined;
}

const evenSuspended: ReadonlySet<string | undefined> = new Set(['Delete', 'Reject', 'Undo', 'Update']);

/** From a suspended account only what takes something back is listened to. */
function isWelcome(signer: KnownKey, activity: Json): boolean {
  return !signer.suspended || evenSuspended.has(typeOf(activity));
}
