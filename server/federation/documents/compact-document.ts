import { DocumentError } from './parse-document.ts';
import type { Json } from './values.ts';

export async function compactDocument(document: Json): Promise<Json> {
  throw new DocumentError(
    `The document does not use the plain names of ActivityStreams: ${JSON.stringify(document['@context'])}`,
  );
}
