import type { App } from '../platform/app.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { isTagName, normalizeTag } from '../text/index.ts';
import { findTag, findTagsByName, type TagRow } from '../tags/index.ts';
import { loadAccountTags } from './account-tags-cache.ts';
import type { Tag } from './schema.ts';
import { isTagVisible } from './visibility/tag-visibility.ts';
import { buildTagHistory, loadTagHistories } from './tag-history.ts';

type Viewer = Pick<CurrentUser, 'accountId'> | undefined;

/**
 * Returns hashtags by name (any spelling, with or without `#`) in order, without duplicates and invalid names. An unused
 * hashtag has an empty id. The viewer must be allowed to know the hashtags. Three queries at most.
 */
export async function presentTags(app: App, viewer: Viewer, names: readonly string[]): Promise<Tag[]> {
  const spellings = listSpellings(names);
  return presentTagRows(app, viewer, spellings, await findTagsByName(app, { names: [...spellings.keys()] }));
}

/**
 * Returns a hashtag by name (any spelling, with or without `#`), or undefined for an invalid name. One that the viewer may
 * not know looks unused.
 */
export async function presentTag(app: App, viewer: Viewer, name: string): Promise<Tag | undefined> {
  const row = await findTag(app, name);
  const isKnown = row !== undefined && (await isTagVisible(app, viewer?.accountId, row));
  return (await presentTagRows(app, viewer, listSpellings([name]), isKnown ? [row] : []))[0];
}

/** Returns the names without `#`, by normalised name. */
function listSpellings(names: readonly string[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const normalised = normalizeTag(name);
    if (isTagName(normalised) && !spellings.has(normalised)) spellings.set(normalised, name.replace(/^[#＃]/u, ''));
  }
  return spellings;
}

async function presentTagRows(
  app: App,
  viewer: Viewer,
  spellings: ReadonlyMap<string, string>,
  rows: readonly TagRow[],
): Promise<Tag[]> {
  const histories = await loadTagHistories(
    app,
    rows.map(({ id }) => id),
  );
  const accountTags = viewer && (await loadAccountTags(app, viewer.accountId));
  const rowByName = new Map(rows.map((row) => [row.name, row]));
  const today = Math.floor(app.clock.now().getTime() / 86_400_000);
  return [...spellings].map(([normalised, spelling]) => {
    const row = rowByName.get(normalised);
    return {
      id: row?.id ?? '',
      name: row?.display_name ?? spelling,
      url: `${app.config.baseUrl}/tags/${encodeURIComponent(normalised)}`,
      history: (row && histories.get(row.id)) ?? buildTagHistory([], today),
      ...(accountTags !== undefined && {
        following: row !== undefined && accountTags.following.has(row.id),
        featuring: row !== undefined && accountTags.featuring.has(row.id),
      }),
    };
  });
}
