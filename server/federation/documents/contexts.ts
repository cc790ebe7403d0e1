/** The addressee of public objects, as local documents spell it. */
export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public';

export const activityStreams = 'https://www.w3.org/ns/activitystreams';

/** Context of posts: ActivityStreams and the further terms of local Notes. */
export const noteContext: readonly unknown[] = [
  activityStreams,
  {
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    Hashtag: 'as:Hashtag',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    blurhash: 'toot:blurhash',
    votersCount: 'toot:votersCount',
    FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
    quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
    quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
    quoteUri: 'http://fedibird.com/ns#quoteUri',
    _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    canLike: { '@id': 'gts:canLike', '@type': '@id' },
    canReply: { '@id': 'gts:canReply', '@type': '@id' },
    canAnnounce: { '@id': 'gts:canAnnounce', '@type': '@id' },
    replyAuthorization: { '@id': 'gts:replyAuthorization', '@type': '@id' },
    announceAuthorization: { '@id': 'gts:announceAuthorization', '@type': '@id' },
    approvedBy: { '@id': 'gts:approvedBy', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
  },
];

/**
 * Context of quote authorizations and requests (FEP-044f). Includes the terms of posts, because a request embeds one.
 */
export const quoteContext: readonly unknown[] = [
  ...noteContext,
  {
    QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
    QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
    interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
    interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
  },
];

/** Context of the authorizations of other interactions, and of the requests for them. */
export const interactionContext: readonly unknown[] = [
  ...quoteContext,
  {
    LikeRequest: 'gts:LikeRequest',
    ReplyRequest: 'gts:ReplyRequest',
    AnnounceRequest: 'gts:AnnounceRequest',
    LikeAuthorization: 'gts:LikeAuthorization',
    ReplyAuthorization: 'gts:ReplyAuthorization',
    AnnounceAuthorization: 'gts:AnnounceAuthorization',
  },
];

/** Context of reactions with emojis (LitePub). */
export const reactionContext: readonly unknown[] = [
  ...noteContext,
  { litepub: 'http://litepub.social/ns#', EmojiReact: 'litepub:EmojiReact' },
];

/** Context of actors. */
export const actorContext: readonly unknown[] = [
  activityStreams,
  'https://w3id.org/security/v1',
  {
    Hashtag: 'as:Hashtag',
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    attributionDomains: { '@id': 'toot:attributionDomains', '@container': '@set' },
    showFeatured: 'toot:showFeatured',
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
    canFeature: { '@id': 'https://w3id.org/fep/7aa9#canFeature', '@type': '@id' },
    featuredCollections: { '@id': 'https://w3id.org/fep/7aa9#featuredCollections', '@type': '@id' },
    webfinger: { '@id': 'https://purl.archive.org/socialweb/webfinger#webfinger' },
    // The terms of FEP-521a, which has them in contexts that nobody should have to fetch for a key.
    assertionMethod: { '@id': 'https://w3id.org/security#assertionMethod', '@type': '@id', '@container': '@set' },
    Multikey: 'https://w3id.org/security#Multikey',
    controller: { '@id': 'https://w3id.org/security#controller', '@type': '@id' },
    publicKeyMultibase: {
      '@id': 'https://w3id.org/security#publicKeyMultibase',
      '@type': 'https://w3id.org/security#multibase',
    },
  },
];
