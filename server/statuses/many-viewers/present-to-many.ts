import { loadFilterMatchers, type FilterMatcher } from '../../filters/index.ts';
import type { App } from '../../platform/app.ts';
import { forEachInSlices } from '../../platform/batching/slices.ts';
import type { JsonText } from '../../platform/http/http-response.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { loadQuoteRelationsOfMany, renderQuoteApproval } from '../../quotes/policy/index.ts';
import { loadQuotedStatusesForMany, resolveQuote, type QuotedStatuses } from '../quote/quoted-statuses.ts';
import type { Status } from '../schema.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { presentStatusesById } from '../read/present-statuses.ts';
import { loadCachedStatuses } from '../read/status-cache.ts';
import { findViewersWithState } from '../read/viewer-state.ts';
import { isPublicOrUnlisted } from '../read/visibility.ts';

/** Viewers that are presented together, so that their queries are batched. */
const batchSize = 200;

/** Viewers who see the same of a status, and what they see. */
export interface PresentedGroup {
  readonly viewerIds: readonly AccountId[];
  readonly status: JsonText<Status>;
}

/**
 * Presents a status to each viewer as `presentStatuses` does, once for all who see the same. Empty if the status was
 * deleted.
 */
export async function presentStatusToMany(
  app: App,
  viewerIds: readonly AccountId[],
  id: StatusId,
): Promise<PresentedGroup[]> {
  const groups = await groupViewers(app, viewerIds, id);
  const presented: PresentedGroup[] = [];
  for (let start = 0; start < groups.length; start += batchSize) {
    await Promise.all(
      groups.slice(start, start + batchSize).map(async (group) => {
        const [representative] = group;
        const statuses = representative && (await presentStatusesById(app, { accountId: representative }, [id]));
        const status = statuses?.get(id);
        if (status !== undefined) presented.push({ viewerIds: group, status });
      }),
    );
  }
  return presented;
}

/** Groups viewers who see the same of a status. */
async function groupViewers(
  app: App,
  viewerIds: readonly AccountId[],
  id: StatusId,
): Promise<(readonly AccountId[])[]> {
  const shown = await loadShownStatuses(app, id);
  if (shown === undefined) return [];
  if (viewerIds.length < 2 || shown.rendered.some(isDifferentForEach)) return viewerIds.map((viewerId) => [viewerId]);
  const [keyOf, peculiar, matchers] = await Promise.all([
    createGroupKey(app, viewerIds, shown),
    findPeculiarViewers(app, viewerIds, shown),
    loadFilterMatchers(app, viewerIds),
  ]);
  const groups = new Map<string, AccountId[]>();
  const individuals: AccountId[][] = [];
  await forEachInSlices(viewerIds, (viewerId) => {
    if (peculiar.has(viewerId) || isFiltered(shown, matchers.get(viewerId))) {
      individuals.push([viewerId]);
      return;
    }
    const key = keyOf(viewerId);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [viewerId]);
    else group.push(viewerId);
  });
  return [...groups.values(), ...individuals];
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

/** Returns the viewers who see something of a status that depends on what they are or did. */
async function findPeculiarViewers(
  app: App,
  viewerIds: readonly AccountId[],
  { status, rendered }: ShownStatuses,
): Promise<ReadonlySet<AccountId>> {
  return new Set([
    status.accountId,
    ...rendered.map(({ accountId }) => accountId),
    ...rendered.flatMap(({ card }) => card?.text.unconfirmedId ?? []),
    ...(await findViewersWithState(app, viewerIds, rendered)),
  ]);
}

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
