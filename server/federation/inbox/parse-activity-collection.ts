import { DocumentError, hasDocumentShape } from '../documents/parse-document.ts';
import { isObject, typesOf, type Json } from '../documents/values.ts';

/** Maximum number of activities per request. */
const maxActivities = 100;

const itemsProperties: Readonly<Record<string, 'items' | 'orderedItems'>> = {
  Collection: 'items',
  CollectionPage: 'items',
  OrderedCollection: 'orderedItems',
  OrderedCollectionPage: 'orderedItems',
};

/**
 * Returns the activities of a collection in the order of processing: last to first (reference/federation.tsv). Each
 * inherits the context of the collection unless it has its own. Omits activities given by id, and those that are no
 * documents (`parseDocument`), so that one bad member costs only itself. Returns undefined if the
 * body is not a collection. Throws a DocumentError if it has more than 100 items.
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
    .filter(hasDocumentShape)
    .map((item) => ({ '@context': context, ...item }))
    .toReversed();
}
