import activityStreams from './known-contexts/activitystreams.json' with { type: 'json' };
import dataIntegrityV1 from './known-contexts/data-integrity-v1.json' with { type: 'json' };
import dataIntegrityV2 from './known-contexts/data-integrity-v2.json' with { type: 'json' };
import did from './known-contexts/did-v1.json' with { type: 'json' };
import identity from './known-contexts/identity-v1.json' with { type: 'json' };
import multikey from './known-contexts/multikey-v1.json' with { type: 'json' };
import securityV1 from './known-contexts/security-v1.json' with { type: 'json' };

/** The contexts of local documents, keys and signatures. Terms of others are dropped, so theirs are not bundled. */
const bundledContexts = new Map<string, unknown>([
  ['https://www.w3.org/ns/activitystreams', activityStreams],
  ['https://w3id.org/security/v1', securityV1],
  ['https://w3id.org/security/data-integrity/v1', dataIntegrityV1],
  ['https://w3id.org/security/data-integrity/v2', dataIntegrityV2],
  ['https://w3id.org/security/multikey/v1', multikey],
  ['https://w3id.org/identity/v1', identity],
  ['https://www.w3.org/ns/did/v1', did],
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
