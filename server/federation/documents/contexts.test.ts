import { expect, test } from 'vitest';
import { actorContext, interactionContext, reactionContext } from './contexts.ts';
import { featureContext } from './feature-activities.ts';

const as = 'https://www.w3.org/ns/activitystreams#';
const toot = 'http://joinmastodon.org/ns#';
const schema = 'http://schema.org#';
const ostatus = 'http://ostatus.org#';
const gts = 'https://gotosocial.org/ns#';
const quotes = 'https://w3id.org/fep/044f#';
const features = 'https://w3id.org/fep/7aa9#';
const security = 'https://w3id.org/security#';
const litepub = 'http://litepub.social/ns#';

/** The IRI of each term that other servers define, with what its values are: IRIs, a list, a set. */
const expected: Readonly<Record<string, readonly [iri: string, ...values: ('@id' | '@list' | '@set')[]]>> = {
  toot: [toot],
  Emoji: [`${toot}Emoji`],
  featured: [`${toot}featured`, '@id'],
  featuredTags: [`${toot}featuredTags`, '@id'],
  focalPoint: [`${toot}focalPoint`, '@list'],
  blurhash: [`${toot}blurhash`],
  discoverable: [`${toot}discoverable`],
  indexable: [`${toot}indexable`],
  memorial: [`${toot}memorial`],
  votersCount: [`${toot}votersCount`],
  suspended: [`${toot}suspended`],
  attributionDomains: [`${toot}attributionDomains`, '@set'],
  showFeatured: [`${toot}showFeatured`],
  showMedia: [`${toot}showMedia`],
  showRepliesInMedia: [`${toot}showRepliesInMedia`],
  manuallyApprovesFollowers: [`${as}manuallyApprovesFollowers`],
  sensitive: [`${as}sensitive`],
  Hashtag: [`${as}Hashtag`],
  movedTo: [`${as}movedTo`, '@id'],
  alsoKnownAs: [`${as}alsoKnownAs`, '@id'],
  schema: [schema],
  PropertyValue: [`${schema}PropertyValue`],
  value: [`${schema}value`],
  ostatus: [ostatus],
  atomUri: [`${ostatus}atomUri`],
  inReplyToAtomUri: [`${ostatus}inReplyToAtomUri`],
  conversation: [`${ostatus}conversation`],
  gts: [gts],
  interactionPolicy: [`${gts}interactionPolicy`, '@id'],
  canQuote: [`${gts}canQuote`, '@id'],
  canLike: [`${gts}canLike`, '@id'],
  canReply: [`${gts}canReply`, '@id'],
  canAnnounce: [`${gts}canAnnounce`, '@id'],
  automaticApproval: [`${gts}automaticApproval`, '@id'],
  manualApproval: [`${gts}manualApproval`, '@id'],
  approvedBy: [`${gts}approvedBy`, '@id'],
  replyAuthorization: [`${gts}replyAuthorization`, '@id'],
  announceAuthorization: [`${gts}announceAuthorization`, '@id'],
  interactingObject: [`${gts}interactingObject`, '@id'],
  interactionTarget: [`${gts}interactionTarget`, '@id'],
  LikeRequest: [`${gts}LikeRequest`],
  ReplyRequest: [`${gts}ReplyRequest`],
  AnnounceRequest: [`${gts}AnnounceRequest`],
  LikeAuthorization: [`${gts}LikeAuthorization`],
  ReplyAuthorization: [`${gts}ReplyAuthorization`],
  AnnounceAuthorization: [`${gts}AnnounceAuthorization`],
  quote: [`${quotes}quote`, '@id'],
  quoteAuthorization: [`${quotes}quoteAuthorization`, '@id'],
  QuoteRequest: [`${quotes}QuoteRequest`],
  QuoteAuthorization: [`${quotes}QuoteAuthorization`],
  quoteUri: ['http://fedibird.com/ns#quoteUri'],
  _misskey_quote: ['https://misskey-hub.net/ns#_misskey_quote'],
  FeaturedCollection: [`${features}FeaturedCollection`],
  FeaturedItem: [`${features}FeaturedItem`],
  FeatureRequest: [`${features}FeatureRequest`],
  FeatureAuthorization: [`${features}FeatureAuthorization`],
  topic: [`${features}topic`, '@id'],
  featuredObject: [`${features}featuredObject`, '@id'],
  featuredObjectType: [`${features}featuredObjectType`],
  featureAuthorization: [`${features}featureAuthorization`, '@id'],
  featuredCollections: [`${features}featuredCollections`, '@id'],
  canFeature: [`${features}canFeature`, '@id'],
  webfinger: ['https://purl.archive.org/socialweb/webfinger#webfinger'],
  assertionMethod: [`${security}assertionMethod`, '@id', '@set'],
  Multikey: [`${security}Multikey`],
  controller: [`${security}controller`, '@id'],
  publicKeyMultibase: [`${security}publicKeyMultibase`],
  litepub: [litepub],
  EmojiReact: [`${litepub}EmojiReact`],
};

type Definition = string | { readonly '@id': string; readonly '@type'?: string; readonly '@container'?: string };

/** Returns what a context array defines, with prefixes resolved. */
function termsOf(context: readonly unknown[]): Record<string, readonly string[]> {
  const definitions = Object.assign({}, ...context.filter((part) => typeof part === 'object')) as Record<
    string,
    Definition
  >;
  const resolve = (iri: string): string => {
    const [prefix = '', name] = iri.split(':', 2);
    const base = prefix === 'as' ? as : definitions[prefix];
    return typeof base === 'string' && name !== undefined ? base + name : iri;
  };
  return Object.fromEntries(
    Object.entries(definitions).map(([term, definition]) => {
      if (typeof definition === 'string') return [term, [resolve(definition)]];
      const values = [definition['@type'], definition['@container']].filter((value) => value?.startsWith('@'));
      return [term, [resolve(definition['@id']), ...values.map(String)]];
    }),
  );
}

test('the contexts of documents define each term as the servers do that introduced it', () => {
  const defined = [interactionContext, reactionContext, actorContext, featureContext].map(termsOf);
  for (const terms of defined) {
    expect(terms).toEqual(Object.fromEntries(Object.keys(terms).map((term) => [term, expected[term]])));
  }
  expect(Object.keys(Object.assign({}, ...defined)).toSorted()).toEqual(Object.keys(expected).toSorted());
});

test('contexts of other servers are named by their addresses', () => {
  const named = (context: readonly unknown[]) => context.filter((part) => typeof part === 'string');
  expect(named(interactionContext)).toEqual(['https://www.w3.org/ns/activitystreams']);
  expect(named(featureContext)).toEqual(['https://www.w3.org/ns/activitystreams']);
  expect(named(actorContext)).toEqual(['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']);
});
