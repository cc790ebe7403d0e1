import type { App } from '../platform/app.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { isTagName, normalizeTag } from '../text/index.ts';
import { findTagsByName, loadAccountTags, type Tag } from '../tags/index.ts';
import { buildTagHistory, loadTagHistories } from './tag-history.ts';

/**
 * Hashtags by name (any spelling, with or without `#`), in the order given, each once. One that nobody used yet has an
 * empty id; what cannot be a hashtag is left out. Two queries for any number of names, and one for what the viewer follows.
 */
export async function presentTags(
  app: App,
  viewer: Pick<CurrentUser, 'accountId'> | undefined,
  names: readonly string[],
): Promise<Tag[]> {
  const wanted = new Map<string, string>();
  for (const name of names) {
    const normalised = normalizeTag(name);
    if (isTagName(normalised) && !wanted.has(normalised)) wanted.set(normalised, name.replace(/^[#＃]/u, ''));
  }
  const rows = await findTagsByName(app, { names: [...wanted.keys()] });
  const histories = await loadTagHistories(
    app,
    rows.map(({ id }) => id),
  );
  const standing = viewer && (await loadAccountTags(app, viewer.accountId));
  const rowByName = new Map(rows.map((row) => [row.name, row]));
  const today = Math.floor(app.clock.now().getTime() / 86_400_000);
  return [...wanted].map(([normalised, written]) => {
    const row = rowByName.get(normalised);
    return {
      id: row?.id ?? '',
      name: row?.display_name ?? written,
      url: `${app.config.baseUrl}/tags/${encodeURIComponent(normalised)}`,
      history: (row && histories.get(row.id)) ?? buildTagHistory([], today),
      ...(standing !== undefined && {
        following: row !== undefined && standing.following.has(row.id),
        featuring: row !== undefined && standing.featuring.has(row.id),
      }),
    };
  });
}
