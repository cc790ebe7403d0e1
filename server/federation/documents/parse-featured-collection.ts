import type { FeatureAudience, FeaturePolicy } from '../../accounts/index.ts';
import { maxRemoteItems, type RemoteCollection, type RemoteCollectionItem } from '../../collections/index.ts';
import { DocumentError } from './parse-document.ts';
import {
  booleanOf,
  dateOf,
  idOf,
  idsOf,
  isObject,
  isPublic,
  languageOf,
  listOf,
  isSameHost,
  textOf,
  typesOf,
  urlOf,
  type Json,
} from './values.ts';

/** A place in a collection as its document describes it. */
export type FeaturedItem = Omit<RemoteCollectionItem, 'localAccountId' | 'isLocal'>;

/** A collection of accounts as its document describes it (FEP-7aa9), not yet sanitised. */
export interface FeaturedCollection extends Omit<RemoteCollection, 'accountId' | 'items'> {
  readonly attributedTo: string;
  /** Those that came whole. */
  readonly items: readonly FeaturedItem[];
}

/** Says whether a document is a collection of accounts (FEP-7aa9). */
export function isFeaturedCollection(object: unknown): object is Json {
  return typesOf(object).includes('FeaturedCollection');
}

/** Reads a collection; throws a DocumentError unless it has an id, and an owner on the same server. */
export function parseFeaturedCollection(document: Json): FeaturedCollection {
  const uri = idOf(document);
  const attributedTo = idsOf(document['attributedTo']).find((owner) => isSameHost(owner, uri));
  if (uri === undefined || attributedTo === undefined || !isFeaturedCollection(document)) {
    throw new DocumentError(`${String(uri)} is no collection of accounts`);
  }
  const url = urlOf(document['url'], 'text/html');
  const topic = listOf(document['topic']).find(isObject);
  const items = listOf(document['orderedItems'] ?? document['items']).slice(0, maxRemoteItems);
  return {
    uri,
    url: url !== undefined && isSameHost(url, uri) ? url : undefined,
    attributedTo,
    name: textOf(document, 'name', 1024) ?? '',
    description: textOf(document, 'summary', 16_384) ?? '',
    language: languageOf(document, 'summary'),
    tagName: topic && textOf(topic, 'name', 500)?.replace(/^#/, ''),
    sensitive: booleanOf(document['sensitive']) ?? false,
    discoverable: booleanOf(document['discoverable']) ?? false,
    publishedAt: dateOf(document['published']),
    items: items.flatMap((item) => parseFeaturedItem(item, uri) ?? []),
    named: items.filter((item) => typeof item === 'string').filter((item) => isSameHost(item, uri)),
  };
}

/** A place in a collection of the same server; undefined for anything else. */
export function parseFeaturedItem(item: unknown, collectionUri: string): FeaturedItem | undefined {
  if (!isObject(item)) return undefined;
  const uri = idOf(item);
  const objectUri = idOf(item['featuredObject']);
  if (uri === undefined || objectUri === undefined || !isSameHost(uri, collectionUri)) return undefined;
  return {
    uri,
    objectUri,
    approvalUri: idOf(item['featureAuthorization']),
    publishedAt: dateOf(item['published']),
  };
}

/** Whom `interactionPolicy.canFeature` of an actor lets feature it; undefined when it says nothing of it. */
export function parseFeaturePolicy(document: Json, uri: string): FeaturePolicy | undefined {
  const policies = document['interactionPolicy'];
  const policy = isObject(policies) ? policies['canFeature'] : undefined;
  if (!isObject(policy)) return undefined;
  const read = (value: unknown): FeatureAudience[] => [
    ...new Set(idsOf(value).flatMap((audience) => toFeatureAudience(audience, document, uri) ?? [])),
  ];
  return { automatic: read(policy['automaticApproval']), manual: read(policy['manualApproval']) };
}

/** Undefined for the actor itself, which may feature itself anyway. */
function toFeatureAudience(audience: string, document: Json, uri: string): FeatureAudience | undefined {
  if (audience === uri) return undefined;
  if (isPublic(audience)) return 'public';
  if (audience === idOf(document['followers'])) return 'followers';
  return audience === idOf(document['following']) ? 'following' : 'unsupported_policy';
}
