import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { TagId } from '../../platform/ids.ts';
import { ensureTags } from '../../tags/index.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';
import type { Visibility } from '../tables.ts';

interface TaggedPost {
  readonly visibility: Visibility;
  /** In any spelling. */
  readonly tagNames: readonly string[];
}

/**
 * Returns the ids of the hashtags of posts by normalised name and creates missing ones. Hashtags that only private and
 * direct posts use are shown to nobody else (`hashtags/visibility/tag-visibility.ts`).
 */
export async function ensureTagsOfPosts(
  tx: Transaction,
  app: App,
  posts: readonly TaggedPost[],
): Promise<ReadonlyMap<string, TagId>> {
  const names = posts.flatMap(({ tagNames }) => tagNames);
  if (names.length === 0) return new Map();
  const publicNames = posts.flatMap(({ visibility, tagNames }) => (isPublicOrUnlisted(visibility) ? tagNames : []));
  return ensureTags(tx, names, app.clock.now(), publicNames);
}
