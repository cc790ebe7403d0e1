import { loadCachedAccounts, parseAccount } from '../accounts/present/index.ts';
import { requireAccount } from '../accounts/find/index.ts';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import { presentFeaturedTags } from '../hashtags/index.ts';
import type { Profile } from './schema.ts';

/** Returns a user's own profile for editing. */
export async function presentProfile(app: App, accountId: AccountId): Promise<Profile> {
  const [row, bodies, tags] = await Promise.all([
    requireAccount(app, accountId),
    loadCachedAccounts(app, [accountId]),
    presentFeaturedTags(app, accountId),
  ]);
  const body = bodies.get(accountId);
  if (body === undefined) throw notFound();
  const account = parseAccount(body);
  return {
    id: row.id,
    display_name: row.display_name,
    note: row.note,
    fields: row.fields,
    avatar: row.avatar_key === null ? null : account.avatar,
    avatar_static: row.avatar_key === null ? null : account.avatar_static,
    avatar_description: row.avatar_description,
    header: row.header_key === null ? null : account.header,
    header_static: row.header_key === null ? null : account.header_static,
    header_description: row.header_description,
    locked: row.locked,
    bot: account.bot,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
    formatted_note: account.note,
    formatted_fields: account.fields,
    featured_tags: tags,
  };
}
