import { accountBodies, type AccountBody } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId, StatusId } from '../platform/ids.ts';
import { followedIds, relationsOf, type Relations } from '../relationships/index.ts';
import { statusBodies, type StatusBody } from './status-bodies.ts';
import { canSee, isShown, type ShownFacts, type Surface } from './visibility.ts';

/** A viewer with all that decides what it sees of some statuses. */
export interface Sight {
  readonly viewerId: AccountId | undefined;
  readonly relations: Relations | undefined;
  readonly followed: ReadonlySet<AccountId>;
  readonly authors: ReadonlyMap<AccountId, AccountBody>;
}

/**
 * Drops from `ids` what `viewerId` (undefined: anonymous) may not see, what the surface hides from it, what is gone, and
 * reblogs whose original falls under any of these. Keeps the order.
 */
export async function keepVisible(
  app: App,
  viewerId: AccountId | undefined,
  ids: readonly StatusId[],
  surface: Surface,
): Promise<StatusId[]> {
  const bodies = await withOriginals(app, ids);
  const sight = await sightOf(app, viewerId, [...bodies.values()]);
  return ids.filter((id) => {
    const body = bodies.get(id);
    if (body === undefined || !isShown(factsOf(body, sight), surface)) return false;
    if (isFeed(surface) && body.accountId !== viewerId && namesUnwanted(body, sight)) return false;
    return body.reblogOfId === null || originalShown(bodies.get(body.reblogOfId), sight, surface);
  });
}

/** A status that `viewerId` (undefined: anonymous) may see; throws 404 for every other (never tells why). */
export async function requireVisibleStatus(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<StatusBody> {
  const bodies = await withOriginals(app, [id]);
  const body = bodies.get(id);
  if (body === undefined) throw notFound();
  const sight = await sightOf(app, viewerId, [...bodies.values()]);
  if (!canSee(factsOf(body, sight))) throw notFound();
  if (body.reblogOfId !== null) {
    const original = bodies.get(body.reblogOfId);
    if (original === undefined || !canSee(factsOf(original, sight))) throw notFound();
  }
  return body;
}

/** The status itself, or what it reblogs: people react to originals, whatever id they send. */
export async function requireVisibleOriginal(
  app: App,
  viewerId: AccountId | undefined,
  id: StatusId,
): Promise<StatusBody> {
  const body = await requireVisibleStatus(app, viewerId, id);
  return body.reblogOfId === null ? body : requireVisibleStatus(app, viewerId, body.reblogOfId);
}

async function withOriginals(app: App, ids: readonly StatusId[]): Promise<Map<StatusId, StatusBody>> {
  const bodies = await statusBodies(app, ids);
  const missing = [...bodies.values()].flatMap(({ reblogOfId }) =>
    reblogOfId === null || bodies.has(reblogOfId) ? [] : [reblogOfId],
  );
  if (missing.length === 0) return bodies;
  return new Map([...bodies, ...(await statusBodies(app, missing))]);
}

/** What decides which of these statuses `viewerId` (undefined: anonymous) sees. */
export async function sightOf(
  app: App,
  viewerId: AccountId | undefined,
  bodies: readonly StatusBody[],
): Promise<Sight> {
  const [authors, relations, followed] = await Promise.all([
    accountBodies(app, [...new Set(bodies.map(({ accountId }) => accountId))]),
    viewerId === undefined ? undefined : relationsOf(app, viewerId),
    viewerId === undefined ? new Set<AccountId>() : followedIds(app, viewerId),
  ]);
  return { viewerId, relations, followed, authors };
}

/** What decides whether the viewer of `sight` is shown a status. */
export function factsOf(body: StatusBody, { viewerId, relations, followed, authors }: Sight): ShownFacts {
  const author = authors.get(body.accountId);
  const known = viewerId !== undefined;
  return {
    visibility: body.visibility,
    authorGone: author === undefined || author.suspended || !author.activated,
    authorSilenced: author?.silenced ?? false,
    isAuthor: known && viewerId === body.accountId,
    isFollower: known && followed.has(body.accountId),
    isMentioned: known && body.mentionedIds.includes(viewerId),
    blockedByAuthor: relations?.blockedBy.has(body.accountId) ?? false,
    blocking: relations?.blocking.has(body.accountId) ?? false,
    muting: relations?.muting.has(body.accountId) ?? false,
    domainBlocked: typeof author?.domain === 'string' && (relations?.blockedDomains.has(author.domain) ?? false),
  };
}

/** On a profile the profile's owner was asked for, but not those whom it reblogs. */
function originalShown(original: StatusBody | undefined, sight: Sight, surface: Surface): boolean {
  if (original === undefined) return false;
  const facts = factsOf(original, sight);
  if (isFeed(surface) && !facts.isAuthor && namesUnwanted(original, sight)) return false;
  return isShown(facts, surface === 'account' ? 'home' : surface);
}

/** Feeds do not bring in whom their owner blocks or mutes by way of those who talk to them. */
const isFeed = (surface: Surface): boolean => surface === 'home' || surface === 'lists';

function namesUnwanted({ namedIds, inReplyToAccountId }: StatusBody, { relations }: Sight): boolean {
  if (relations === undefined) return false;
  const unwanted = (id: AccountId) => relations.blocking.has(id) || relations.muting.has(id);
  return namedIds.some(unwanted) || (inReplyToAccountId !== null && unwanted(inReplyToAccountId));
}
