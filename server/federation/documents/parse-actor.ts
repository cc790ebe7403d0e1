import type { RemoteEmoji } from '../../emojis/index.ts';
import { parseEmojis } from './emoji-documents.ts';
import type { FeaturePolicy } from '../../accounts/present/index.ts';
import { DocumentError } from './parse-document.ts';
import { parseFeaturePolicy } from './parse-featured-collection.ts';
import {
  booleanOf,
  dateOf,
  hostOf,
  idOf,
  idsOf,
  isHttpUrl,
  isObject,
  listOf,
  isSameHost,
  textOf,
  typesOf,
  urlOf,
  type Json,
} from './values.ts';
import { parseMultikey } from './multikey.ts';
import { isOneOf } from '../../platform/known-names.ts';

const maxUsernameLength = 2048;

/**
 * Whether a remote account may have this name: letters and digits of ASCII, underscores, dots and hyphens, not only the
 * last two. `.` and `..` would be steps of a path.
 */
export const isUsername = (name: string): boolean =>
  name.length <= maxUsernameLength && /^[\w.-]+$/.test(name) && /\w/.test(name);

const actorTypes = ['Person', 'Service', 'Group', 'Application', 'Organization'] as const;

/** A public key in the document of its owner. */
export interface ActorKey {
  readonly id: string;
  readonly publicKeyPem: string;
  /** No signature counts after that. */
  readonly expiresAt: Date | undefined;
}

/** A parsed actor document, with values truncated to limits (reference/federation.tsv, "size limit"). */
export interface Actor {
  readonly uri: string;
  readonly type: (typeof actorTypes)[number];
  readonly username: string;
  /** The handle `name@domain` that the actor claims (FEP-2c59); WebFinger must confirm it. */
  readonly webfinger: string | undefined;
  readonly displayName: string;
  /** Unsanitized HTML. */
  readonly summary: string;
  readonly url: string | undefined;
  readonly inbox: string;
  readonly sharedInbox: string | undefined;
  readonly outbox: string | undefined;
  readonly followers: string | undefined;
  readonly following: string | undefined;
  readonly featured: string | undefined;
  /** URI of the list of its collections of accounts. */
  readonly featuredCollections: string | undefined;
  /** Who may feature it in collections; undefined if not declared. */
  readonly featurePolicy: FeaturePolicy | undefined;
  readonly featuredTags: string | undefined;
  readonly keys: readonly ActorKey[];
  readonly avatar: ActorImage | undefined;
  readonly header: ActorImage | undefined;
  /** Values are unsanitized HTML. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** Emojis in its name, summary and fields. */
  readonly emojis: readonly RemoteEmoji[];
  readonly locked: boolean;
  readonly discoverable: boolean | undefined;
  readonly indexable: boolean;
  readonly memorial: boolean;
  /** Which tabs its profile has. */
  readonly showMedia: boolean;
  readonly showRepliesInMedia: boolean;
  readonly showFeatured: boolean;
  readonly suspended: boolean;
  readonly published: Date | undefined;
  readonly alsoKnownAs: readonly string[];
  readonly movedTo: string | undefined;
  readonly attributionDomains: readonly string[];
}

export interface ActorImage {
  readonly url: string;
  readonly description: string;
}

/** Whether an object is an actor. */
export function isActor(object: unknown): object is Json {
  return typesOf(object).some((type) => isOneOf(actorTypes, type));
}

/**
 * Parses an actor. Throws a DocumentError if its id, name or inbox is missing or on another host. Ignores collections
 * on other hosts, and keys that the actor does not own.
 */
export function parseActor(document: Json): Actor {
  const uri = idOf(document);
  const type = typesOf(document).find((name) => isOneOf(actorTypes, name));
  const username = textOf(document, 'preferredUsername');
  if (uri === undefined || hostOf(uri) === undefined) throw new DocumentError('The actor has no id');
  if (type === undefined) throw new DocumentError(`${uri} is not an actor`);
  if (username === undefined || !isUsername(username)) throw new DocumentError(`${uri} has no username`);
  const address = (value: unknown) => {
    const url = urlOf(value) ?? idOf(value);
    return isHttpUrl(url) && isSameHost(url, uri) ? url : undefined;
  };
  const inbox = address(document['inbox']);
  if (inbox === undefined) throw new DocumentError(`${uri} has no inbox`);
  const endpoints = document['endpoints'];
  return {
    uri,
    type: type as Actor['type'],
    username,
    webfinger: textOf(document, 'webfinger', 2048),
    displayName: textOf(document, 'name', 2048) ?? '',
    summary: textOf(document, 'summary', 20_480) ?? '',
    url: address(urlOf(document['url'], 'text/html')),
    inbox,
    sharedInbox: isObject(endpoints) ? address(endpoints['sharedInbox']) : undefined,
    outbox: address(document['outbox']),
    followers: address(document['followers']),
    following: address(document['following']),
    featured: address(document['featured']),
    featuredCollections: address(document['featuredCollections']),
    featurePolicy: parseFeaturePolicy(document, uri),
    featuredTags: address(document['featuredTags']),
    keys: parseKeys(document, uri),
    avatar: parseImage(document['icon']),
    header: parseImage(document['image']),
    fields: parseFields(document['attachment']),
    emojis: parseEmojis(document),
    ...parseFlags(document),
    published: dateOf(document['published']),
    alsoKnownAs: idsOf(document['alsoKnownAs']).slice(0, 256),
    movedTo: idOf(document['movedTo']),
    attributionDomains: listOf(document['attributionDomains'])
      .filter((domain) => typeof domain === 'string')
      .slice(0, 256),
  };
}

type FlagName =
  | 'locked'
  | 'discoverable'
  | 'indexable'
  | 'memorial'
  | 'suspended'
  | 'showMedia'
  | 'showRepliesInMedia'
  | 'showFeatured';

function parseFlags(document: Json): Pick<Actor, FlagName> {
  return {
    locked: booleanOf(document['manuallyApprovesFollowers']) ?? false,
    discoverable: booleanOf(document['discoverable']),
    indexable: booleanOf(document['indexable']) ?? false,
    memorial: booleanOf(document['memorial']) ?? false,
    showMedia: booleanOf(document['showMedia']) ?? true,
    showRepliesInMedia: booleanOf(document['showRepliesInMedia']) ?? true,
    showFeatured: booleanOf(document['showFeatured']) ?? true,
    suspended: booleanOf(document['suspended']) ?? false,
  };
}

const maxKeys = 10;

/**
 * Returns up to ten keys on the actor's host that its document declares: RSA keys in `publicKey`, and Ed25519 keys in
 * `assertionMethod` (FEP-521a). Of several keys with one id, the first counts.
 */
function parseKeys(document: Json, uri: string): ActorKey[] {
  const keys = [
    ...listOf(document['publicKey']).slice(0, maxKeys).flatMap(parsePemKey(uri)),
    ...listOf(document['assertionMethod']).slice(0, maxKeys).flatMap(parseMultikeyOf(uri)),
  ];
  return [...new Map(keys.toReversed().map((key) => [key.id, key])).values()].toReversed().slice(0, maxKeys);
}

const parsePemKey =
  (uri: string) =>
  (key: unknown): ActorKey[] => {
    const id = idOf(key);
    if (!isObject(key) || id === undefined || idOf(key['owner']) !== uri || !isSameHost(id, uri)) return [];
    const pem = key['publicKeyPem'];
    return typeof pem === 'string' && pem.length <= 8192 ? [{ id, publicKeyPem: pem, expiresAt: undefined }] : [];
  };

const parseMultikeyOf =
  (uri: string) =>
  (key: unknown): ActorKey[] => {
    const id = idOf(key);
    if (!isObject(key) || id === undefined || idOf(key['controller']) !== uri || !isSameHost(id, uri)) return [];
    const publicKeyPem = typesOf(key).includes('Multikey') ? parseMultikey(key['publicKeyMultibase']) : undefined;
    const ends = [key['expires'], key['revoked']].map(dateOf).filter((date) => date !== undefined);
    const expiresAt = ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
    return publicKeyPem === undefined ? [] : [{ id, publicKeyPem, expiresAt }];
  };

function parseImage(value: unknown): ActorImage | undefined {
  const image = listOf(value).find((item) => isObject(item) || typeof item === 'string');
  if (image === undefined) return undefined;
  const url = isObject(image) ? urlOf(image['url'] ?? image['href']) : urlOf(image);
  if (url === undefined) return undefined;
  return {
    url,
    description: isObject(image) ? (textOf(image, 'summary', 10_000) ?? textOf(image, 'name', 10_000) ?? '') : '',
  };
}

function parseFields(value: unknown): Actor['fields'] {
  return listOf(value)
    .filter(isObject)
    .filter((item) =>
      typesOf(item).some((type) => type.replace(/^schema:|^https?:\/\/schema\.org\/?#?/, '') === 'PropertyValue'),
    )
    .slice(0, 50)
    .map((item) => ({ name: textOf(item, 'name', 2047) ?? '', value: textOf(item, 'value', 2047) ?? '' }));
}
