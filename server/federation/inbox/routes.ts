import { Type } from 'typebox';
import { actorUrls, instanceActorId } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { empty, type Answer } from '../../platform/http/answers.ts';
import { badRequest, forbidden } from '../../platform/http/problems.ts';
import { post, type RequestFacts, type Route } from '../../platform/http/routes.ts';
import { FetchBudget, withFetchBudget } from '../../platform/fetch-budget.ts';
import type { AccountId } from '../../platform/ids.ts';
import { DocumentError, parseDocument } from '../documents/parse-document.ts';
import { hostOf, idOf, typeOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { recordSignOfLife } from '../host-health.ts';
import { findKnownKey, type KnownKey } from '../keys/find-key.ts';
import { requireActiveActor } from '../serving/local-actor.ts';
import { readClaim, verifyClaim } from '../signatures/verify-request.ts';
import { compareFollowers } from '../synchronisation/compare-followers.ts';
import { synchronizationHeader } from '../synchronisation/header.ts';
import { acceptActivity, wasReceived } from './accept-activity.ts';
import { countAccepted, requireRoom, requireRoomFor } from './backlog.ts';
import { activityKey, settledKey, undoneKey, type RequestParts } from './activity-key.ts';

const bodyLimit = 1_048_576;

const sharedInbox = post('/inbox', {
  summary: 'Receive an activity for anybody here',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  bodyLimit,
  undocumented: true,
  handle: ({ app, request }) => receive(app, request),
});

const personalInbox = post('/users/:username/inbox', {
  summary: 'Receive an activity for one account',
  access: 'anyone',
  params: Type.Object({ username: Type.String() }),
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  bodyLimit,
  undocumented: true,
  async handle({ app, params, request }) {
    const { id } = await requireActiveActor(app, params.username);
    return receive(app, request, id);
  },
});

const instanceInbox = post('/actor/inbox', {
  summary: 'Receive an activity for the server itself',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  rawBody: true,
  bodyLimit,
  undocumented: true,
  handle: ({ app, request }) => receive(app, request, instanceActorId),
});

export const inboxRoutes: readonly Route[] = [sharedInbox, personalInbox, instanceInbox];

/**
 * Takes an activity in: refuses cheaply what can be refused without a key, verifies who sent it, stores it and answers
 * 202. It is acted upon by a worker, never here. What the signature check fetches counts for the activity.
 */
async function receive(root: App, request: RequestFacts, inboxAccountId?: AccountId): Promise<Answer> {
  const budget = new FetchBudget(root);
  const app = withFetchBudget(root, budget);
  await requireRoom(app);
  const activity = readBody(request);
  const actorUri = idOf(activity['actor']) ?? (await implied(app, request, activity));
  const host = hostOf(actorUri);
  if (actorUri === undefined || host === undefined) throw badRequest('The activity names no actor');
  if (actorUri === actorUrls(app, app.config.domain).uri || host === app.config.webDomain)
    throw badRequest('The activity is our own');
  if (await isBlockedDomain(app, host)) throw forbidden();
  const claim = readClaim(app, request);
  const body = request.rawBody ?? Buffer.alloc(0);
  const parts = { inboxAccountId, body, signature: String(request.headers['signature']) };
  const known = await findKnownKey(app, claim.keyId);
  if (known === undefined && (await isSettled(app, { activity, actorUri, parts }))) return empty(202);
  const signer = await verifyClaim(app, claim);
  if (!isWelcome(signer, activity)) return empty(202);
  requireRoomFor(app, signer.actorUri);
  await recordSignOfLife(app, hostOf(signer.actorUri) ?? '');
  const forwarded = signer.actorUri !== actorUri;
  const key = activityKey(activity, { actorUri, signer, ...parts });
  if (key !== undefined) {
    await acceptActivity(app, {
      key,
      undoes: forwarded ? undefined : undoneKey(activity, actorUri),
      actorUri,
      signerUri: signer.actorUri,
      inboxAccountId,
      forwarded,
      body: String(body),
      fetchBudgetId: await budget.store(app.db),
    });
    countAccepted(app, signer.actorUri);
  }
  const synchronization = request.headers[synchronizationHeader];
  if (synchronization !== undefined && !forwarded) await compareFollowers(app, signer, String(synchronization));
  return empty(202);
}

/** A FeatureRequest need not say whose it is: then it is of whoever signed it. */
async function implied(app: App, request: RequestFacts, activity: Json): Promise<string | undefined> {
  if (typeOf(activity) !== 'FeatureRequest') return undefined;
  return (await verifyClaim(app, readClaim(app, request))).actorUri;
}

function readBody({ rawBody }: RequestFacts): Json {
  try {
    return parseDocument(rawBody ?? Buffer.alloc(0));
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
