import { loadCardJson, renderCardInto } from '../cards/index.ts';
import { presentAdminTags } from '../hashtags/admin/index.ts';
import { presentTags, type Tag } from '../hashtags/index.ts';
import { loadMediaViewer } from '../media/proxy/index.ts';
import type { App } from '../platform/app.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { presentStatusesById } from '../statuses/read/index.ts';
import { normalizeTag } from '../text/index.ts';
import type { Trend } from './find-trends.ts';
import { loadLinkHistories } from './link-history.ts';
import type {
  AdminTrendingLink,
  AdminTrendingStatus,
  AdminTrendingTag,
  TrendingLink,
  TrendingStatus,
  TrendingTag,
} from './schema.ts';
import type { StatusId } from '../platform/ids.ts';

type Viewer = CurrentUser | undefined;

/** Returns trending hashtags. */
export async function presentTrendingTags(app: App, viewer: Viewer, trends: readonly Trend[]): Promise<TrendingTag[]> {
  const tags = await presentTags(
    app,
    viewer,
    trends.map(({ name }) => name),
  );
  return markTags(tags, trends);
}

/** Returns trending statuses. The viewer must be allowed to see them. */
export async function presentTrendingStatuses(
  app: App,
  viewer: Viewer,
  trends: readonly Trend[],
): Promise<JsonText<TrendingStatus>[]> {
  const statuses = await presentStatusesById(
    app,
    viewer,
    trends.map(({ id }) => id),
  );
  return trends.flatMap(({ id, provider }) => {
    const status = statuses.get(id);
    return status === undefined ? [] : [withMembers<TrendingStatus>(status.text, mark(provider))];
  });
}

/** Marks what trends according to a service provider. */
const mark = (provider: string | null): { readonly trend_provider?: string } =>
  provider === null ? {} : { trend_provider: provider };

function markTags<Item extends Tag>(tags: readonly Item[], trends: readonly Trend[]) {
  const providers = new Map(trends.map(({ name, provider }) => [name, provider]));
  return tags.map((tag) => ({ ...tag, ...mark(providers.get(normalizeTag(tag.name)) ?? null) }));
}

/** Returns trending hashtags with what staff decided about them. */
export async function presentReviewedTags(
  app: App,
  viewer: CurrentUser,
  trends: readonly Trend[],
): Promise<AdminTrendingTag[]> {
  const tags = await presentAdminTags(
    app,
    viewer,
    trends.map(({ name }) => name),
  );
  return markTags(tags, trends);
}

/** Returns trending statuses and whether they require a review. The viewer must be allowed to see them. */
export async function presentReviewedStatuses(
  app: App,
  viewer: CurrentUser,
  trends: readonly { readonly id: StatusId; readonly requiresReview: boolean; readonly provider: string | null }[],
): Promise<JsonText<AdminTrendingStatus>[]> {
  const statuses = await presentStatusesById(
    app,
    viewer,
    trends.map(({ id }) => id),
  );
  return trends.flatMap(({ id, requiresReview, provider }) => {
    const status = statuses.get(id);
    return status === undefined
      ? []
      : [withMembers<AdminTrendingStatus>(status.text, { requires_review: requiresReview, ...mark(provider) })];
  });
}

/** Returns trending links with their history. */
export async function presentLinks(
  app: App,
  viewer: Viewer,
  trends: readonly Pick<Trend, 'id' | 'name' | 'provider'>[],
): Promise<JsonText<TrendingLink>[]> {
  return (await renderLinks(app, viewer, trends)).map(({ trend, text, history }) =>
    withMembers<TrendingLink>(text, { history, ...mark(trend.provider) }),
  );
}

/** Returns trending links with their history and whether they require a review. */
export async function presentReviewedLinks(
  app: App,
  viewer: CurrentUser,
  trends: readonly Pick<Trend, 'id' | 'name' | 'requiresReview' | 'linkReviewId' | 'provider'>[],
): Promise<JsonText<AdminTrendingLink>[]> {
  const links = await renderLinks(app, viewer, trends);
  return links.map(({ trend, text, history }) =>
    withMembers<AdminTrendingLink>(text, {
      history,
      id: Number(trend.linkReviewId),
      requires_review: trend.requiresReview,
      ...mark(trend.provider),
    }),
  );
}

async function renderLinks<Link extends Pick<Trend, 'id' | 'name'>>(app: App, viewer: Viewer, trends: readonly Link[]) {
  const ids = trends.map(({ id }) => id);
  const viewerId = viewer?.accountId;
  const [cards, histories, context] = await Promise.all([
    loadCardJson(app, ids),
    loadLinkHistories(app, ids),
    loadMediaViewer(app, viewerId),
  ]);
  return trends.flatMap((trend) => {
    const card = cards.get(trend.id);
    if (card === undefined) return [];
    const fragments: string[] = [];
    renderCardInto(fragments, card, { url: trend.name, viewerId, context });
    return [{ trend, text: fragments.join(''), history: histories.get(trend.id) }];
  });
}

/** Adds members to the text of a JSON object. */
function withMembers<Entity>(json: string, members: Record<string, unknown>): JsonText<Entity> {
  const added = asciiJson(members);
  return new JsonText(added === '{}' ? json : `${json.slice(0, -1)},${added.slice(1)}`);
}
