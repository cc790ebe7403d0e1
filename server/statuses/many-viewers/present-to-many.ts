import { loadFilterMatchers, type FilterMatcher } from '../../filters/index.ts';
import type { App } from '../../platform/app.ts';
import { inParts } from '../../platform/batching/slices.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadQuoteRelationsOfMany, renderQuoteApproval } from '../../quotes/policy/index.ts';
import { loadQuotedStatusesForMany, resolveQuote, type QuotedStatuses } from '../quote/quoted-statuses.ts';
import type { Status } from '../schema.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { presentStatusesById } from '../read/present-statuses.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';
import { findViewersWithState } from './find-viewers-with-state.ts';

/** Viewers that are presented together, so that their queries are batched. */
const batchSize = 200;

/** Viewers who see the same of a status, and what they see. */
export interface PresentedGroup {
  readonly viewerIds: readonly AccountId[];
  readonly status: JsonText<Status>;
}

interface PresentOptions {
  /** The status was just created, so that no viewer has done anything with it. */
  readonly isNew: boolean;
}

/**
 * Presents a status to each viewer as `presentStatuses` does, once for all who see the same. A large group is yielded in
 * parts with the same `status`. Yields nothing if the status was deleted.
 */
export async function* presentStatusToMany(
  app: App,
  viewerIds: readonly AccountId[],
  id: StatusId,
  { isNew }: PresentOptions,
): AsyncIterable<PresentedGroup> {
  const shown = await loadShownStatuses(app, id);
  if (shown === undefined) return;
  const touched = shown.rendered.filter((status) => !(isNew && status.id === id && status.inReplyToId === null));
  const withState = new Set(touched.length === 0 ? [] : await findViewersWithState(app, viewerIds, touched));
  const grouping: Grouping = { shown, withState, presented: new Map() };
  for await (const part of inParts(viewerIds)) yield* presentPart(app, part, grouping);
}

/** What the parts of the viewers have in common. */
interface Grouping {
  readonly shown: ShownStatuses;
  /** Viewers who have another state than the default one for a rendered status. */
  readonly withState: ReadonlySet<AccountId>;
  /** What the groups see, by their keys. */
  readonly presented: Map<string, JsonText<Status>>;
}

async function* presentPart(
  app: App,
  viewerIds: readonly AccountId[],
  { shown, withState, presented }: Grouping,
): AsyncIterable<PresentedGroup> {
  const { groups, individuals } = await groupViewers(app, viewerIds, { shown, withState });
  for (const [key, members] of groups) {
    const [representative] = members;
    if (representative === undefined) continue;
    const status = presented.get(key) ?? (await presentTo(app, representative, { shown, withState }));
    if (status === undefined) return;
    presented.set(key, status);
    yield { viewerIds: members, status };
  }
  for (let start = 0; start < individuals.length; start += batchSize) {
    const batch = individuals.slice(start, start + batchSize);
    const statuses = await Promise.all(batch.map((viewerId) => presentTo(app, viewerId, { shown, withState })));
    for (const [index, viewerId] of batch.entries()) {
      const status = statuses[index];
      if (status !== undefined) yield { viewerIds: [viewerId], status };
    }
  }
}

async function presentTo(
  app: App,
  viewerId: AccountId,
  { shown: { status }, withState }: Pick<Grouping, 'shown' | 'withState'>,
): Promise<JsonText<Status> | undefined> {
  const options = { hasDefaultState: !withState.has(viewerId) };
  return (await presentStatusesById(app, { accountId: viewerId }, [status.id], options)).get(status.id);
}

/** Groups viewers who see the same of a status, by what decides that. The others are presented one by one. */
async function groupViewers(
  app: App,
  viewerIds: readonly AccountId[],
  { shown, withState }: Pick<Grouping, 'shown' | 'withState'>,
): Promise<{ groups: ReadonlyMap<string, readonly AccountId[]>; individuals: readonly AccountId[] }> {
  if (viewerIds.length < 2 || shown.rendered.some(isDifferentForEach))
    return { groups: new Map(), individuals: viewerIds };
  const [keyOf, matchers] = await Promise.all([
    createGroupKey(app, viewerIds, shown),
    loadFilterMatchers(app, viewerIds),
  ]);
  const involved = findInvolved(shown);
  const groups = new Map<string, AccountId[]>();
  const individuals: AccountId[] = [];
  for (const viewerId of viewerIds) {
    if (withState.has(viewerId) || involved.has(viewerId) || isFiltered(shown, matchers.get(viewerId))) {
      individuals.push(viewerId);
      continue;
    }
    const key = keyOf(viewerId);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [viewerId]);
    else group.push(viewerId);
  }
  return { groups, individuals };
}

interface ShownStatuses {
  readonly status: CachedStatus;
  /** The status itself, or the original of a reblog. */
  readonly original: CachedStatus;
  /** All whose JSON may be shown: the original and what it quotes. */
  readonly rendered: readonly CachedStatus[];
}

async function loadShownStatuses(app: App, id: StatusId): Promise<ShownStatuses | undefined> {
  const status = (await loadCachedStatuses(app, [id])).get(id);
  if (status === undefined) return undefined;
  const original =
    status.reblogOfId === null ? status : (await loadCachedStatuses(app, [status.reblogOfId])).get(status.reblogOfId);
  if (original === undefined) return undefined;
  const quotedId = original.quote?.quotedId ?? undefined;
  const quoted = quotedId === undefined ? undefined : (await loadCachedStatuses(app, [quotedId])).get(quotedId);
  return { status, original, rendered: quoted === undefined ? [original] : [original, quoted] };
}

/** Addresses of restricted files name the viewer; linked collections show what each viewer may see. */
const isDifferentForEach = ({ visibility, hasMedia, collectionIds }: CachedStatus): boolean =>
  collectionIds.length > 0 || (hasMedia && !isPublicOrUnlisted(visibility));

/** Returns the accounts that see more of a status than others: its authors and the account that its card may name. */
const findInvolved = ({ status, rendered }: ShownStatuses): ReadonlySet<AccountId> =>
  new Set([
    status.accountId,
    ...rendered.map(({ accountId }) => accountId),
    ...rendered.flatMap(({ card }) => card?.text.unconfirmedId ?? []),
  ]);

/** Whether the filters of a viewer match what is shown. */
const isFiltered = ({ status, rendered }: ShownStatuses, matcher: FilterMatcher | undefined): boolean =>
  matcher !== undefined &&
  !matcher.isEmpty &&
  rendered.some((shown) => matcher.matches(shown, shown.id === status.reblogOfId ? status.id : undefined));

/** Returns a function whose result is the same for viewers with the same relations to what is shown. */
async function createGroupKey(
  app: App,
  viewerIds: readonly AccountId[],
  { original, rendered }: ShownStatuses,
): Promise<(viewerId: AccountId) => string> {
  const [quotedOf, relationsOf] = await Promise.all([
    loadQuotedStatusesForMany(app, viewerIds, new Map([[original.id, original]])),
    loadQuoteRelationsOfMany(app, viewerIds, rendered),
  ]);
  return (viewerId) => {
    const quoted = quotedOf === undefined ? '' : quoteKey(original, quotedOf(viewerId));
    if (relationsOf === undefined) return quoted;
    const relations = relationsOf(viewerId);
    return quoted + rendered.map((status) => renderQuoteApproval(status, viewerId, relations)).join('');
  };
}

/** What a viewer sees of the quote, and of the quote in the quoted status. */
function quoteKey({ quote }: CachedStatus, statuses: QuotedStatuses): string {
  if (quote === null) return '';
  const { state, quoted } = resolveQuote(quote, statuses);
  if (quoted?.quote === undefined || quoted.quote === null) return state;
  const nested = resolveQuote(quoted.quote, statuses);
  return `${state} ${nested.state} ${nested.quoted?.id}`;
}
