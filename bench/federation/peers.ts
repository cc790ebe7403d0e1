import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Every host is a name below this one. The certificate of the network is valid for all of them. */
export const networkDomain = 'peers.test';

const context = [
  'https://www.w3.org/ns/activitystreams',
  'https://w3id.org/security/v1',
  {
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    toot: 'http://joinmastodon.org/ns#',
    votersCount: 'toot:votersCount',
    Hashtag: 'as:Hashtag',
  },
];
const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

/** A key of some remote actors. Verifying costs the same whoever owns the key. */
export interface PeerKey {
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
}

export const createKeys = (count: number): PeerKey[] =>
  Array.from({ length: count }, () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
  });

/** Returns the key that was stored as PEM. */
export function parseKey(pem: string): PeerKey {
  const privateKey = createPrivateKey(pem);
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { privateKey, publicKeyPem };
}

/** Returns the URI of an actor of the nth host. */
export const actorUri = (port: number, host: number, username: string): string =>
  `https://h${host}.${networkDomain}:${port}/users/${username}`;

/** Returns which of the keys the actors of a host have. */
export const keyIndexOf = (uri: string, keys: number): number => Number(/^https:\/\/h(\d+)\./.exec(uri)?.[1]) % keys;

/** Returns the document of an actor, with an inbox of its own. */
export const actorDocument = (uri: string, publicKeyPem: string): object => ({
  '@context': context,
  id: uri,
  type: 'Person',
  preferredUsername: uri.split('/').at(-1),
  name: `Person at ${new URL(uri).hostname}`,
  summary: '<p>Posts about birds, and about trains.</p>',
  url: uri.replace('/users/', '/@'),
  manuallyApprovesFollowers: false,
  discoverable: true,
  published: '2024-03-01T00:00:00Z',
  inbox: `${uri}/inbox`,
  followers: `${uri}/followers`,
  publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem },
});

/** The local post that a note replies to. */
export interface Parent {
  readonly uri: string;
  /** URI of its author. */
  readonly author: string;
  /** Handle of its author. */
  readonly acct: string;
}

export interface NoteOptions {
  readonly actor: string;
  /** Unique among the notes of the actor. */
  readonly name: string;
  readonly parent?: Parent | undefined;
  /** A local author that it mentions without a reply. */
  readonly mentioned?: Parent | undefined;
  readonly hashtags?: readonly string[] | undefined;
  /** The activity also has a signature of its own, so that it is forwarded to the followers of a local author. */
  readonly isForwardable?: boolean | undefined;
}

/** Returns a Create as Mastodon sends it. */
export function createActivity(options: NoteOptions): Record<string, unknown> {
  const { actor, name, parent, mentioned = parent, hashtags = [], isForwardable = false } = options;
  const id = `${actor}/statuses/${name}`;
  const published = new Date().toISOString();
  const [to, cc] = [[publicCollection], [`${actor}/followers`, ...(mentioned === undefined ? [] : [mentioned.author])]];
  const mention = mentioned === undefined ? '' : `<a href="${mentioned.author}" class="u-url mention">@reader</a> `;
  const tagUrl = (tag: string): string => new URL(`/tags/${tag}`, actor).href;
  const links = hashtags.map((tag) => ` <a href="${tagUrl(tag)}" class="mention hashtag" rel="tag">#${tag}</a>`);
  const content = `<p>${mention}The swifts are back over the yards since this morning, and nobody else has noticed: post ${name}.${links.join('')}</p>`;
  const note = {
    id,
    type: 'Note',
    summary: null,
    inReplyTo: parent?.uri ?? null,
    published,
    url: id.replace('/users/', '/@'),
    attributedTo: actor,
    to,
    cc,
    sensitive: false,
    atomUri: id,
    inReplyToAtomUri: parent?.uri ?? null,
    content,
    contentMap: { en: content },
    attachment: [],
    tag: [
      ...(mentioned === undefined ? [] : [{ type: 'Mention', href: mentioned.author, name: `@${mentioned.acct}` }]),
      ...hashtags.map((tag) => ({ type: 'Hashtag', href: tagUrl(tag), name: `#${tag}` })),
    ],
    replies: {
      id: `${id}/replies`,
      type: 'Collection',
      first: { type: 'CollectionPage', next: `${id}/replies?page=1`, partOf: `${id}/replies`, items: [] },
    },
  };
  const signature = {
    type: 'RsaSignature2017',
    creator: `${actor}#main-key`,
    created: published,
    signatureValue: 'AA==',
  };
  return {
    '@context': context,
    id: `${id}/activity`,
    type: 'Create',
    actor,
    published,
    to,
    cc,
    object: note,
    ...(isForwardable && { signature }),
  };
}

/** Returns the boost of a post. `name`: as for a note. */
export function announceActivity(actor: string, name: string, object: string): Record<string, unknown> {
  const id = `${actor}/statuses/${name}`;
  const published = new Date().toISOString();
  const [to, cc] = [[publicCollection], [`${actor}/followers`]];
  return { '@context': context, id, type: 'Announce', actor, published, to, cc, object };
}

export const followActivity = (actor: string, target: string): Record<string, unknown> => ({
  '@context': context,
  id: `${actor}#follows/${encodeURIComponent(target)}`,
  type: 'Follow',
  actor,
  object: target,
});
