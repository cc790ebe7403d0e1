import activityStreams from './known-contexts/activitystreams.json' with { type: 'json' };
import securityV1 from './known-contexts/security-v1.json' with { type: 'json' };

/** The contexts that local documents and signatures use. Terms of others are dropped, so theirs are not bundled. */
const bundledContexts = new Map<string, unknown>([
  ['https://www.w3.org/ns/activitystreams', activityStreams],
  ['https://w3id.org/security/v1', securityV1],
]);

const emptyContext = { '@context': {} };

/**
 * Returns a bundled JSON-LD context; an empty one for any other URL. Never fetches: a sender could name any URL, and a
 * context that changes would change what a signature covers.
 */
export async function loadJsonLdContext(url: string) {
  const document = bundledContexts.get(url.replace(/^http:/, 'https:').replace(/#$/, '')) ?? emptyContext;
  return { contextUrl: null, documentUrl: url, document };
}
