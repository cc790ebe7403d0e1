import { parse as parseMediaType } from 'content-type';
import type { App } from '../../platform/app.ts';
import { emptyResponse, type HttpResponse } from '../../platform/http/http-response.ts';
import { badRequest, forbidden, HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { RequestContext } from '../../platform/http/routes.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import type { AccountId } from '../../platform/ids.ts';
import { isActivityType } from '../documents/media-type.ts';
import { assertShape, DocumentError, parseObject } from '../documents/parse-document.ts';
import { hostOf, idOf, typeOf, type Json } from '../documents/values.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { recordHostAlive } from '../host-health.ts';
import { findKey, type RemoteKey } from '../keys/find-key.ts';
import { currentSpan } from '../../platform/tracing/span.ts';
import { parseRequestSignature, verifyRequestSignature } from '../keys/verify-request.ts';
import { compareFollowers } from '../synchronization/compare-followers.ts';
import { synchronizationHeaderName } from '../delivery/synchronization-header.ts';
import { acceptActivity, wasReceived } from './accept-activity.ts';
import { countAccepted, assertBacklogRoom, assertSignerBacklogRoom } from './backlog.ts';
import { parseActivityCollection } from './parse-activity-collection.ts';
import { activityKey, finalKey, undoneKey, type RequestParts } from './activity-key.ts';
import { isAllowedSigner } from './recheck-suspension.ts';

/**
 * Accepts an activity or a collection of activities: checks what needs no key, verifies the signature, stores the
 * activities and answers 202. A worker processes them. Requests of the signature check use the fetch budget of the
 * activity.
 */
export async function receiveRequest(
  root: App,
  request: RequestContext,
  inboxAccountId?: AccountId,
): Promise<HttpResponse> {
  requireActivityType(request);
  const budget = new StoredFetchBudget(root);
  const app = withFetchBudget(root, budget);
  await assertBacklogRoom(app);
  const { activity, items } = parseBody(request);
  if (items !== undefined) return receiveCollection(app, { request, inboxAccountId, budget }, { activity, items });
  const actorUri = idOf(activity['actor']) ?? (await inferActor(app, request, activity));
  const host = hostOf(actorUri);
  if (actorUri === undefined || host === undefined) throw badRequest(verbatim('The activity has no actor'));
  if (host === app.config.webDomain) throw badRequest(verbatim('The actor of the activity is local'));
  if (await isBlockedDomain(app, host)) throw forbidden();
  const claim = parseRequestSignature(app, request);
  const body = request.rawBody ?? Buffer.alloc(0);
  const parts = { inboxAccountId, body, signature: signatureHeader(request) };
  const knownKey = await findKey(app, claim.keyId);
  if (knownKey === undefined && (await canSkipVerification(app, { activity, actorUri, parts })))
    return emptyResponse(202);
  const signer = await verifyRequestSignature(app, request, claim);
  if (!isAllowedSigner(app, signer, typeOf(activity))) return emptyResponse(202);
  await assertSignerBacklogRoom(app, signer.actorUri);
  await recordHostAlive(app, hostOf(signer.actorUri) ?? '');
  await acceptVerified(app, { request, inboxAccountId, budget, signer }, { activity, actorUri, body });
  const synchronization = request.headers[synchronizationHeaderName];
  if (synchronization !== undefined && signer.actorUri === actorUri)
    await compareFollowers(app, signer, String(synchronization));
  return emptyResponse(202);
}

/** A request to an inbox. */
interface InboxRequest {
  readonly request: RequestContext;
  readonly inboxAccountId: AccountId | undefined;
  readonly budget: StoredFetchBudget;
}

/** Accepts the activities of a collection that belong to the signer, with one fetch budget. Ignores the others. */
async function receiveCollection(
  app: App,
  arrival: InboxRequest,
  { activity, items }: ParsedBody,
): Promise<HttpResponse> {
  const signer = await verifyRequestSignature(app, arrival.request, parseRequestSignature(app, arrival.request));
  await assertSignerBacklogRoom(app, signer.actorUri);
  await recordHostAlive(app, hostOf(signer.actorUri) ?? '');
  const isAuthored = (item: Json): boolean => (idOf(item['actor']) ?? signer.actorUri) === signer.actorUri;
  const allowed = isAuthored(activity)
    ? (items ?? []).filter((item) => isAuthored(item) && isAllowedSigner(app, signer, typeOf(item)))
    : [];
  await Promise.all(
    allowed.map((item) => {
      const authored = { ...item, actor: signer.actorUri };
      const body = Buffer.from(JSON.stringify(authored));
      return acceptVerified(app, { ...arrival, signer }, { activity: authored, actorUri: signer.actorUri, body });
    }),
  );
  return emptyResponse(202);
}

/** Stores a verified activity. Ignores it if its id and its actor are on different hosts. */
async function acceptVerified(
  app: App,
  { request, inboxAccountId, budget, signer }: InboxRequest & { readonly signer: RemoteKey },
  { activity, actorUri, body }: { activity: Json; actorUri: string; body: Buffer },
): Promise<void> {
  const key = activityKey(activity, { actorUri, signer, inboxAccountId, body, signature: signatureHeader(request) });
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
    traceParent: currentSpan()?.traceParent ?? null,
  });
  countAccepted(app, signer.actorUri);
}

const signatureHeader = ({ headers }: RequestContext): string => String(headers['signature']);

/**
 * Throws 415 for other content types. Some small servers send plain JSON or no type; JSON-LD with another profile is
 * not ActivityStreams.
 */
function requireActivityType({ headers }: RequestContext): void {
  const type = headers['content-type'];
  if (type === undefined || isActivityType(String(type)) || parseMediaType(String(type)).type === 'application/json')
    return;
  throw new HttpError(415, verbatim('The body must be application/activity+json'));
}

/** A FeatureRequest may omit its actor, which is then the signer. */
async function inferActor(app: App, request: RequestContext, activity: Json): Promise<string | undefined> {
  if (typeOf(activity) !== 'FeatureRequest') return undefined;
  return (await verifyRequestSignature(app, request, parseRequestSignature(app, request))).actorUri;
}

interface ParsedBody {
  /** The body: an activity or a collection of activities. */
  readonly activity: Json;
  /** The activities of a collection in order; undefined for a single activity. */
  readonly items: readonly Json[] | undefined;
}

function parseBody({ rawBody }: RequestContext): ParsedBody {
  try {
    const activity = parseObject(rawBody ?? Buffer.alloc(0));
    const items = parseActivityCollection(activity);
    if (items === undefined) assertShape(activity);
    return { activity, items };
  } catch (error) {
    if (error instanceof DocumentError) throw badRequest(verbatim(error.message));
    throw error;
  }
}

/** An activity before its signature is verified. */
interface UnverifiedActivity {
  readonly activity: Json;
  readonly actorUri: string;
  readonly parts: RequestParts;
}

/** Whether an activity with an unknown key can be ignored: it was received before, or deletes an unknown actor. */
async function canSkipVerification(app: App, { activity, actorUri, parts }: UnverifiedActivity): Promise<boolean> {
  const key = finalKey(activity, actorUri, parts);
  if (key !== undefined && (await wasReceived(app, key))) return true;
  if (typeOf(activity) !== 'Delete' || idOf(activity['object']) !== actorUri) return false;
  const account = await app.db.selectFrom('accounts').select('id').where('uri', '=', actorUri).executeTakeFirst();
  return account === undefined;
}
