import { parseJson } from '../../text/index.ts';
import { isObject, listOf, type Json } from './values.ts';

/** A remote document is invalid or not supported. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

const maxDepth = 24;
const maxValues = 50_000;
const activityStreamsUrl = /^https?:\/\/www\.w3\.org\/ns\/activitystreams#?$/;

/** Keywords that can change the structure of a document. */
const structuralKeywords: ReadonlySet<string> = new Set([
  '@graph',
  '@included',
  '@reverse',
  '@nest',
  '@list',
  '@set',
  '@index',
]);

/**
 * Parses a document. Its texts can be stored as they are. Throws a DocumentError unless it is a JSON object of limited
 * depth and size without structural keywords.
 */
export function parseDocument(text: string | Buffer): Json {
  const value = parseObject(text);
  assertShape(value);
  return value;
}

/** Parses a JSON object of any shape. Throws a DocumentError for other texts. */
export function parseObject(text: string | Buffer): Json {
  let value: unknown;
  try {
    value = parseJson(typeof text === 'string' ? text : text.toString('utf8'));
  } catch {
    throw new DocumentError('The document is not valid JSON');
  }
  if (!isObject(value)) throw new DocumentError('The document is not a JSON object');
  return value;
}

/**
 * Whether a document can be read without JSON-LD processing: its context includes that of ActivityStreams, and no key
 * is a keyword.
 */
export function usesPlainTerms(document: Json): boolean {
  const contexts = listOf(document['@context']);
  return (
    contexts.some((context) => typeof context === 'string' && activityStreamsUrl.test(context)) &&
    !usesKeywords(document)
  );
}

/** Whether an object has the shape of a document (`parseDocument`). */
export function hasDocumentShape(value: Json): boolean {
  try {
    assertShape(value);
    return true;
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  }
}

/** Throws a DocumentError if a document is too deep or too large, or uses structural keywords. */
export function assertShape(document: Json): void {
  let level: unknown[] = [document];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new DocumentError('The document is nested too deeply');
    count += level.length;
    if (count > maxValues) throw new DocumentError('The document has too many parts');
    const next: unknown[] = [];
    for (const value of level) collectChildren(value, next);
    level = next;
  }
}

function collectChildren(value: unknown, into: unknown[]): void {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) into.push(item);
    return;
  }
  for (const [key, item] of Object.entries(value as Json)) {
    if (structuralKeywords.has(key)) throw new DocumentError(`The document uses ${key}`);
    // Contexts use keywords to define terms.
    if (key !== '@context' && typeof item === 'object' && item !== null) into.push(item);
  }
}

function usesKeywords(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(usesKeywords);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, item]) => key !== '@context' && (key.startsWith('@') || usesKeywords(item)));
}
