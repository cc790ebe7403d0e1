import type { App } from '../platform/app.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { isTagName, normalizeTag } from '../text/index.ts';
import { findTagsByName } from '../tags/index.ts';
import { loadAccountTags } from './account-tags-cache.ts';
import type { Tag } from './schema.ts';
import { buildTagHistory, loadTagHistories } from './tag-history.ts';

/**
 * Returns hashtags by name (any spelling, with or without `#`) in order, without duplicates and invalid names. An unused
 * hashtag has an empty id. Three queries at most.
 */
export async function presentTags(
  app: App,
  viewer: Pick<CurrentUser, 'accountId'> | undefined,
  names: readonly string[],
): Promise<Tag[]> {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const normalised = normalizeTag(name);
    if (isTagName(normalised) && !spellings.has(normalised)) spellings.set(normalised, name.replace(/^[#＃]/u, ''));
  }
  const rows = await findTagsByName(app, { names: [...spellings.keys()] });
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
