import { readFileSync } from 'node:fs';
import { actorContext, quoteContext } from './contexts.ts';
import { featureContext } from './feature-activities.ts';
import { DocumentError, hasPlainNames, parseDocument } from './parse-document.ts';
import { isObject, type Json } from './values.ts';

/** Every name that we read, as our own documents define it. */
const ourContext = [...new Set([...actorContext, ...quoteContext, ...featureContext])];

const files: Readonly<Record<string, string>> = {
  'https://www.w3.org/ns/activitystreams': 'activitystreams.json',
  'https://w3id.org/security/v1': 'security-v1.json',
};

const loaded = new Map<string, unknown>();

/** A context document that comes with us; of all others nothing is known, and none is ever fetched. */
async function loadContext(url: string) {
  const file = files[url.replace(/^http:/, 'https:').replace(/#$/, '')];
  let document = loaded.get(url);
  if (document === undefined) {
    document =
      file === undefined
        ? { '@context': {} }
        : JSON.parse(readFileSync(new URL(`known-contexts/${file}`, import.meta.url), 'utf8'));
    if (file !== undefined) loaded.set(url, document);
  }
  return { contextUrl: null, documentUrl: url, document };
}

/**
 * Rewrites a document to the plain names that we read, through JSON-LD. The slow way, for documents with keywords as
 * keys, prefixed names or a context that is not that of ActivityStreams. Throws a DocumentError when it cannot be done,
 * or when the outcome is more than one object.
 */
export async function compactDocument(document: Json): Promise<Json> {
  const { default: jsonld } = await import('jsonld');
  let compacted: unknown;
  try {
    compacted = await jsonld.compact(document, ourContext, { documentLoader: loadContext });
  } catch (error) {
    throw new DocumentError(`The document is no JSON-LD: ${String(error).slice(0, 200)}`);
  }
  const plain = parseDocument(JSON.stringify(compacted));
  if (!isObject(plain) || !hasPlainNames(plain))
    throw new DocumentError('The document does not use names of ActivityStreams');
  return plain;
}
