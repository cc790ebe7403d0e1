import { loadCachedAccounts, parseAccount } from '../../accounts/present/index.ts';
import { actorUrls, instanceActorId, profileUrl, type Account } from '../../accounts/index.ts';
import { loadSigningKeys, type SigningKey } from '../../accounts/keys/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import { findGroup } from '../../groups/index.ts';
import type { App } from '../../platform/app.ts';
import { normalizeTag } from '../../text/index.ts';
import { parseText } from '../../text/format/index.ts';
import { isoTimestamp } from './activities.ts';
import { featureProperties } from './featured-documents.ts';
import { emojiTags } from './emoji-documents.ts';
import { encodeMultikey } from './multikey.ts';
import { hashtag } from './hashtag.ts';
import type { Json } from './values.ts';

type LocalActor = Pick<
  AccountRow,
  | 'id'
  | 'username'
  | 'uri'
  | 'actor_type'
  | 'suspended_at'
  | 'avatar_key'
  | 'header_key'
  | 'also_known_as'
  | 'attribution_domains'
  | 'moved_to_account_id'
  | 'note'
>;

/**
 * Returns the document of a local actor without its context (`actorContext`). That of a suspended actor has only its
 * name.
 */
export async function actorDocument(app: App, actor: LocalActor): Promise<Json> {
  const urls = actorUrls(app, actor.uri);
  const body = (await loadCachedAccounts(app, [actor.id])).get(actor.id);
  if (body === undefined) throw new Error(`account ${actor.id} has no body`);
  const account = parseAccount(body);
  const { rsa, ed25519 } = await loadSigningKeys(app, actor.id);
  const texts = [account.display_name, account.note, ...account.fields.flatMap(({ name, value }) => [name, value])];
  const [tags] = await emojiTags(app, [texts]);
  const isInstance = actor.id === instanceActorId;
  return {
    id: urls.uri,
    type: isInstance ? 'Application' : actor.actor_type,
    following: urls.following,
    followers: urls.followers,
    inbox: urls.inbox,
    outbox: urls.outbox,
    ...(!isInstance && { featured: urls.featured, featuredTags: urls.featuredTags }),
    ...(!isInstance && featureProperties(app, { ...urls, id: actor.id }, account.feature_approval.automatic)),
    preferredUsername: actor.username,
    webfinger: `${actor.username}@${app.config.domain}`,
    name: account.display_name || actor.username,
    summary: account.note,
    url: profileUrl(app, actor.username),
    manuallyApprovesFollowers: account.locked || isInstance,
    discoverable: account.discoverable === true,
    indexable: account.indexable,
    published: isoTimestamp(new Date(account.created_at)),
    memorial: account.memorial === true,
    ...(actor.suspended_at !== null && { suspended: true }),
    ...(await groupProperties(app, actor, urls.moderators)),
    showFeatured: account.show_featured,
    showMedia: account.show_media,
    showRepliesInMedia: account.show_media_replies,
    ...(actor.also_known_as.length > 0 && { alsoKnownAs: actor.also_known_as }),
    ...(actor.attribution_domains.length > 0 && { attributionDomains: actor.attribution_domains }),
    ...(await movedTo(app, actor)),
    publicKey: { id: rsa.keyId, owner: urls.uri, publicKeyPem: rsa.publicKeyPem },
    ...(ed25519 !== undefined && { assertionMethod: [multikey(urls.uri, ed25519)] }),
    tag: [...(tags ?? []), ...(actor.suspended_at === null ? hashtagsIn(app, actor) : [])],
    attachment: account.fields.map(({ name, value }) => ({ type: 'PropertyValue', name, value })),
    endpoints: { sharedInbox: urls.sharedInbox },
    ...(actor.suspended_at === null && imageProperties(actor, account)),
  };
}

/** Returns where a group lists its moderators, as Lemmy does, and whether only they may post. */
async function groupProperties(app: App, actor: LocalActor, moderators: string): Promise<Json> {
  if (actor.actor_type !== 'Group') return {};
  const group = await findGroup(app, actor.id);
  return group === undefined
    ? {}
    : { attributedTo: moderators, postingRestrictedToMods: group.posting === 'moderators' };
}

/** Returns an Ed25519 key as FEP-521a describes it. */
const multikey = (controller: string, { keyId, publicKeyPem }: SigningKey): Json => ({
  id: keyId,
  type: 'Multikey',
  controller,
  publicKeyMultibase: encodeMultikey(publicKeyPem),
});

function imageProperties(actor: LocalActor, account: Account): Json {
  return {
    ...(actor.avatar_key !== null && { icon: image(account.avatar, account.avatar_description) }),
    ...(actor.header_key !== null && { image: image(account.header, account.header_description) }),
  };
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

function image(url: string, description: string): Json {
  const mediaType = mediaTypes[url.split('.').at(-1)?.toLowerCase() ?? ''];
  return {
    type: 'Image',
    ...(mediaType !== undefined && { mediaType }),
    url,
    ...(description !== '' && { summary: description }),
  };
}

/** Returns the hashtags in the note of an actor. */
function hashtagsIn(app: App, { note }: LocalActor): Json[] {
  const names = new Map<string, string>();
  for (const piece of parseText(note)) if (piece.type === 'hashtag') names.set(normalizeTag(piece.name), piece.name);
  return [...names].map(([name, shown]) => hashtag(app, { name, display_name: shown }));
}

async function movedTo(app: App, { moved_to_account_id: id }: LocalActor): Promise<Json> {
  if (id === null) return {};
  const target = (await loadCachedAccounts(app, [id])).get(id);
  return target === undefined ? {} : { movedTo: target.uri };
}
