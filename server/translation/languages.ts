import type { App } from '../platform/app.ts';
import { LoadingCache, Cache } from '../platform/caching/cache.ts';
import { remoteUnavailable } from '../platform/http/http-errors.ts';
import { translationBackend } from './backend.ts';
import { undetermined, type LanguagePairs } from './service.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

export const pairsCache = new LoadingCache<'pairs', LanguagePairs>({
  name: 'translation.language_pairs',
  maxSize: 1,
  ttlMs: hourMs,
  load: async (app) => (await translationBackend(app)?.languages()) ?? new Map<string, string[]>(),
});

/** Set while the service fails, so that it gets one request per minute: anonymous visitors use this too. */
export const failureCache = new Cache<'pairs', true>({
  name: 'translation.language_failures',
  maxSize: 1,
  ttlMs: minuteMs,
});

/** Returns the languages that the service translates, by source; empty without a service. Throws 503 if it fails. */
export async function languagePairs(app: App): Promise<LanguagePairs> {
  if (failureCache.peek(app, 'pairs')) throw remoteUnavailable();
  try {
    return await pairsCache.get(app, 'pairs');
  } catch (error) {
    failureCache.set(app, 'pairs', true);
    throw error;
  }
}

/** Returns `languagePairs` as a JSON object; the key `und` stands for an unknown language. */
export async function translationLanguages(app: App): Promise<Record<string, string[]>> {
  return Object.fromEntries([...(await languagePairs(app))].map(([source, targets]) => [source, [...targets]]));
}

/** Returns the codes that the service uses for a pair of languages, with or without region; undefined if it has none. */
export function findLanguagePair(
  pairs: LanguagePairs,
  source: string | null,
  target: string,
): { source: string | null; target: string } | undefined {
  const from = findSupportedCode(source ?? undetermined, [...pairs.keys()]);
  if (from === undefined) return undefined;
  const to = findSupportedCode(target, pairs.get(from) ?? []);
  return to === undefined || to === from ? undefined : { source: source === null ? null : from, target: to };
}

function findSupportedCode(code: string, codes: readonly string[]): string | undefined {
  return codes.includes(code) ? code : codes.find((candidate) => candidate === code.split('-', 1)[0]);
}
