import { DocumentError } from '../documents/parse-document.ts';
import { isObject, typesOf, type Json } from '../documents/values.ts';

/** Most activities that are taken from one request. */
const maxActivities = 100;

const itemsProperties: Readonly<Record<string, 'items' | 'orderedItems'>> = {
  Collection: 'items',
  CollectionPage: 'items',
  OrderedCollection: 'orderedItems',
  OrderedCollectionPage: 'orderedItems',
};

/**
 * Returns the activities of a body that is a collection, in the order in which they are handled: last to first
 * (reference/federation.tsv). Each has the context of the collection unless it has its own. What is only named by its id
 * is left out. Undefined if the body is no collection. Throws a DocumentError if it holds more than 100.
 */
export function parseActivityCollection(body: Json): Json[] | undefined {
  const member = typesOf(body)
    .map((type) => itemsProperties[type])
    .find((name) => name !== undefined);
  if (member === undefined) return undefined;
  const value = body[member];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > maxActivities) throw new DocumentError(`The collection has more than ${maxActivities} activities`);
  const context = body['@context'];
  return items
    .filter(isObject)
    .map((item) => ({ '@context': context, ...item }))
    .toReversed();
}
