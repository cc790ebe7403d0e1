import { activityStreams, publicCollection } from './contexts.ts';
import type { Json } from './values.ts';

const fep = 'https://w3id.org/fep/7aa9#';
const reference = (name: string): Json => ({ '@id': name, '@type': '@id' });

/** Context of account collections, their items and authorizations (FEP-7aa9). */
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

/** Returns the Update of a collection. `changedAt`: of the change; makes the id unique. */
export function updateCollectionActivity(collection: Json, changedAt: Date): Json {
  const { attributedTo } = collection;
  const id = `${String(collection['id'])}#updates/${changedAt.getTime()}`;
  return { id, type: 'Update', actor: attributedTo, to: [publicCollection], object: collection };
}

/** Returns a request to feature an actor in a collection. */
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
  /** The actor that answers. */
  readonly actor: string;
  /** Makes the id of the answer unique. */
  readonly id: string;
  /** The actor that sent the request. */
  readonly to: string;
  readonly request: string;
}

/** Accepts a request. The authorization proves the consent to other servers. */
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

/** Rejects a request. */
export function rejectFeature({ actor, id, to, request }: FeatureResponse): Json {
  return { id: `${actor}#rejects/feature_requests/${id}`, type: 'Reject', actor, to, object: request };
}

/** Returns the Delete of an authorization. */
export function deleteFeatureAuthorization(actor: string, authorization: Json): Json {
  return {
    id: `${String(authorization['id'])}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    object: authorization,
  };
}
