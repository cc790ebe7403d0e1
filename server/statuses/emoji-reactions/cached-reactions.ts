import { buildCachedEmojis, normalizeEmoji } from '../../emojis/index.ts';
import { urlFor, type MediaUrl, type MediaViewer } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { asciiJson } from '../../platform/http/http-response.ts';

/** The reactions to a status with one emoji, as its row has them. */
export interface ReactionRow {
  readonly name: string;
  readonly domain: string;
  readonly count: number;
}

/** The reactions to a status with one emoji, the same for every viewer. */
export interface CachedReaction {
  /** With its domain for a remote custom emoji. */
  readonly name: string;
  readonly count: number;
  /** Undefined: a Unicode emoji. */
  readonly image: { readonly url: MediaUrl; readonly staticUrl: MediaUrl } | undefined;
}

/** Returns the name of an emoji in reactions. */
export const reactionName = ({ name, domain }: Pick<ReactionRow, 'name' | 'domain'>): string =>
  domain === '' ? name : `${name}@${domain}`;

/**
 * Returns the reactions to each of several statuses. Leaves out custom emojis that were deleted or disabled. No query
 * without custom emojis.
 */
export async function buildCachedReactions(
  app: App,
  statuses: readonly (readonly ReactionRow[] | null)[],
): Promise<(readonly CachedReaction[])[]> {
  const rows = statuses.flatMap((reactions) => reactions ?? []).filter(isCustom);
  const found =
    rows.length === 0
      ? []
      : await buildCachedEmojis(
          app,
          rows.map(({ name, domain }) => ({ domain: domain === '' ? null : domain, texts: [`:${name}:`] })),
        );
  const images = new Map(
    rows.flatMap((row, at) => {
      const emoji = found[at]?.[0];
      return emoji === undefined ? [] : [[reactionName(row), { url: emoji.url, staticUrl: emoji.static_url }] as const];
    }),
  );
  return statuses.map((reactions) =>
    (reactions ?? []).flatMap((row): CachedReaction[] => {
      const name = reactionName(row);
      const image = images.get(name);
      return isCustom(row) && image === undefined ? [] : [{ name, count: row.count, image }];
    }),
  );
}

const isCustom = ({ name }: ReactionRow): boolean => normalizeEmoji(name) === undefined;

/** Renders `reactions` of a status. `own`: names with which the viewer reacted; undefined: anonymous. */
export function renderReactions(
  reactions: readonly CachedReaction[],
  own: ReadonlySet<string> | undefined,
  viewer: MediaViewer,
): string {
  return asciiJson(
    reactions.map(({ name, count, image }) => ({
      name,
      count,
      ...(own !== undefined && { me: own.has(name) }),
      ...(image !== undefined && { url: urlFor(image.url, viewer), static_url: urlFor(image.staticUrl, viewer) }),
    })),
  );
}
