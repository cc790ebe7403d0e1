import { actorContext, quoteContext } from './contexts.ts';
import { featureContext } from './feature-activities.ts';
import { loadContext } from './load-context.ts';
import { DocumentError, usesPlainTerms, parseDocument } from './parse-document.ts';
import { isObject, type Json } from './values.ts';

/** Every name that we read, as our own documents define it. */
const compactionContext = [...new Set([...actorContext, ...quoteContext, ...featureContext])];

/**
 * Rewrites a document to the plain names that we read, through JSON-LD. The slow way, for documents with keywords as
 * keys, prefixed names or a context that is not that of ActivityStreams. Throws a DocumentError when it cannot be done,
 * or when the outcome is more than one object.
 */
export async function compactDocument(document: Json): Promise<Json> {
  const { default: jsonld } = await import('jsonld');
  let compacted: unknown;
  try {
    compacted = await jsonld.compact(document, compactionContext, { documentLoader: loadContext });
  } catch (error) {
    throw new DocumentError(`The document is no JSON-LD: ${String(error).slice(0, 200)}`);
  }
  const plain = parseDocument(JSON.stringify(compacted));
  if (!isObject(plain) || !usesPlainTerms(plain))
    throw new DocumentError('The document does not use names of ActivityStreams');
  return plain;
}
