import { activityStreams, publicCollection } from './contexts.ts';
import type { Json } from './values.ts';

const fep = 'https://w3id.org/fep/7aa9#';
const reference = (name: string): Json => ({ '@id': name, '@type': '@id' });

/** Of documents that hold a collection of accounts, a place in one or a stamp (FEP-7aa9). */
export const featureContext: readonly unknown[] = [
  activityStreams,
  {
    toot: 'http://joinmastodon.org/ns#',
    gts: 'https://gotosocial.org/ns#',
    sensitive: 'as:sensitive',
    discoverable: 'toot:discoverable',
    Hashtag: 'as:Hashtag',
    FeaturedCollection: `${fep}FeaturedCollection`,
    FeaturedItem: `${fep}FeaturedItem`,
    FeatureRequest: `${fep}FeatureRequest`,
    FeatureAuthorization: `${fep}FeatureAuthorization`,
    topic: reference(`${fep}topic`),
    featuredObject: reference(`${fep}featuredObject`),
    featuredObjectType: `${fep}featuredObjectType`,
    featureAuthorization: reference(`${fep}featureAuthorization`),
    interactingObject: reference('gts:interactingObject'),
    interactionTarget: reference('gts:interactionTarget'),
  },
];

/** The news that a collection says something else. `moment`: of the change; makes the id unique. */
export function updateCollectionActivity(collection: Json, moment: Date): Json {
  const { attributedTo } = collection;
  const id = `${String(collection['id'])}#updates/${moment.getTime()}`;
  return { id, type: 'Update', actor: attributedTo, to: [publicCollection], object: collection };
}

/** Asks an actor whether it may be put into a collection. */
export function featureRequest(id: string, parts: { actor: string; object: string; collection: string }): Json {
  return {
    id,
    type: 'FeatureRequest',
    actor: parts.actor,
    to: parts.object,
    object: parts.object,
    instrument: parts.collection,
  };
}

interface FeatureResponse {
  /** Who was asked. */
  readonly actor: string;
  /** Makes the id of the answer. */
  readonly id: string;
  /** Who asked, and by which request. */
  readonly to: string;
  readonly request: string;
}

/** Agrees to be put into a collection; `stamp` proves it to everybody. */
export function acceptFeature({
  actor,
  id,
  to,
  request,
  authorization,
}: FeatureResponse & { authorization: string }): Json {
  return {
    id: `${actor}#accepts/feature_requests/${id}`,
    type: 'Accept',
    actor,
    to,
    object: request,
    result: authorization,
  };
}

/** Does not agree. */
export function rejectFeature({ actor, id, to, request }: FeatureResponse): Json {
  return { id: `${actor}#rejects/feature_requests/${id}`, type: 'Reject', actor, to, object: request };
}

/** The end of an agreement. */
export function deleteFeatureAuthorization(actor: string, authorization: Json): Json {
  return {
    id: `${String(authorization['id'])}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    object: authorization,
  };
}
