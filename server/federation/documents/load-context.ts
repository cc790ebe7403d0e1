import { readFileSync } from 'node:fs';

const contextFiles: Readonly<Record<string, string>> = {
  'https://www.w3.org/ns/activitystreams': 'activitystreams.json',
  'https://w3id.org/security/v1': 'security-v1.json',
};

const contextCache = new Map<string, unknown>();

/** Returns a bundled JSON-LD context; an empty one for any other URL. Never fetches. */
export async function loadContext(url: string) {
  const file = contextFiles[url.replace(/^http:/, 'https:').replace(/#$/, '')];
  let document = contextCache.get(url);
  if (document === undefined) {
    document =
      file === undefined
        ? { '@context': {} }
        : JSON.parse(readFileSync(new URL(`known-contexts/${file}`, import.meta.url), 'utf8'));
    if (file !== undefined) contextCache.set(url, document);
  }
  return { contextUrl: null, documentUrl: url, document };
}
