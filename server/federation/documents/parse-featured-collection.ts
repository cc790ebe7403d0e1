import type { FeatureAudience } from '../../accounts/present/index.ts';
import type { FeaturePolicy } from '../../accounts/present/index.ts';
import { maxRemoteItems, type RemoteCollection, type RemoteCollectionItem } from '../../collections/remote/index.ts';
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

/** A parsed collection item. */
export type FeaturedItem = Omit<RemoteCollectionItem, 'localAccountId' | 'isLocal'>;

/** A parsed collection of accounts (FEP-7aa9) with unsanitized texts. */
export interface FeaturedCollection extends Omit<RemoteCollection, 'accountId' | 'items'> {
  readonly attributedTo: string;
  /** Embedded items. */
  readonly items: readonly FeaturedItem[];
}

/** Whether a document is a collection of accounts (FEP-7aa9). */
export function isFeaturedCollection(object: unknown): object is Json {
  return typesOf(object).includes('FeaturedCollection');
}

/** Parses a collection. Throws a DocumentError unless it has an id and an owner on the same host. */
export function parseFeaturedCollection(document: Json): FeaturedCollection {
  const uri = idOf(document);
  const attributedTo = idsOf(document['attributedTo']).find((owner) => isSameHost(owner, uri));
  if (uri === undefined || attributedTo === undefined || !isFeaturedCollection(document)) {
    throw new DocumentError(`${String(uri)} is not a collection of accounts`);
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
    updatedAt: dateOf(document['updated']),
    items: items.flatMap((item) => parseFeaturedItem(item, uri) ?? []),
    named: items.filter((item) => typeof item === 'string').filter((item) => isSameHost(item, uri)),
  };
}

/** Parses an item of a collection on the same host; returns undefined for other values. */
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

/** Parses `interactionPolicy.canFeature` of an actor; returns undefined if it is not declared. */
export function parseFeaturePolicy(document: Json, uri: string): FeaturePolicy | undefined {
  const policies = document['interactionPolicy'];
  const policy = isObject(policies) ? policies['canFeature'] : undefined;
  if (!isObject(policy)) return undefined;
  const read = (value: unknown): FeatureAudience[] => [
    ...new Set(idsOf(value).flatMap((audience) => toFeatureAudience(audience, document, uri) ?? [])),
  ];
  return { automatic: read(policy['automaticApproval']), manual: read(policy['manualApproval']) };
}

/** Returns undefined for the actor itself, which may always feature itself. */
function toFeatureAudience(audience: string, document: Json, uri: string): FeatureAudience | undefined {
  if (audience === uri) return undefined;
  if (isPublic(audience)) return 'public';
  if (audience === idOf(document['followers'])) return 'followers';
  return audience === idOf(document['following']) ? 'following' : 'unsupported_policy';
}
