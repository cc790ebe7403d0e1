import { actorContext, interactionContext, reactionContext } from './contexts.ts';
import { featureContext } from './feature-activities.ts';
import { loadJsonLdContext } from './load-json-ld-context.ts';
import { DocumentError, usesPlainTerms, parseDocument } from './parse-document.ts';
import { isObject, type Json } from './values.ts';

/** All terms of the local contexts. */
const compactionContext = [...new Set([...actorContext, ...interactionContext, ...reactionContext, ...featureContext])];

/**
 * Compacts a document to the plain terms of the local contexts with JSON-LD. For documents with keywords as keys,
 * prefixed terms or other contexts; slow. Throws a DocumentError if that fails or results in more than one object.
 */
export async function compactDocument(document: Json): Promise<Json> {
  const { default: jsonld } = await import('jsonld');
  let compacted: unknown;
  try {
    compacted = await jsonld.compact(document, compactionContext, { documentLoader: loadJsonLdContext });
  } catch (error) {
    throw new DocumentError(`The document is not valid JSON-LD: ${String(error).slice(0, 200)}`);
  }
  const plain = parseDocument(JSON.stringify(compacted));
  if (!isObject(plain) || !usesPlainTerms(plain))
    throw new DocumentError('The document does not use ActivityStreams terms');
  return plain;
}
