import { accountBodies, requireAccount, type Account } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/problems.ts';
import type { AccountId } from '../platform/ids.ts';
import { presentFeaturedTags } from '../trends/index.ts';
import type { Profile } from './schema.ts';

/** One's own profile, for editing it. */
export async function presentProfile(app: App, accountId: AccountId): Promise<Profile> {
  const [row, bodies, tags] = await Promise.all([
    requireAccount(app, accountId),
    accountBodies(app, [accountId]),
    presentFeaturedTags(app, accountId),
  ]);
  const body = bodies.get(accountId);
  if (body === undefined) throw notFound();
  const shown = JSON.parse(body.json) as Account;
  return {
    id: row.id,
    display_name: row.display_name,
    note: row.note,
    fields: row.fields,
    avatar: row.avatar_key === null ? null : shown.avatar,
    avatar_static: row.avatar_key === null ? null : shown.avatar_static,
    avatar_description: row.avatar_description,
    header: row.header_key === null ? null : shown.header,
    header_static: row.header_key === null ? null : shown.header_static,
    header_description: row.header_description,
    locked: row.locked,
    bot: shown.bot,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
    formatted_note: shown.note,
    formatted_fields: shown.fields,
    featured_tags: tags,
  };
}
