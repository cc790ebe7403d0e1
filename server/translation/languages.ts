import { perApp, type App } from '../platform/app.ts';
import { Cache, LoadingCache } from '../platform/cache.ts';
import { remoteUnavailable } from '../platform/http/http-errors.ts';
import { translationBackend } from './backend.ts';
import { undetermined, type LanguagePairs } from './service.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The service is asked once an hour, and once a minute while it fails: visitors ask for this too. */
const cache = perApp((app) => ({
  failed: new Cache<'pairs', Error>({ size: 1, ttl: minuteMs }),
  pairs: new LoadingCache<'pairs', LanguagePairs>({
    size: 1,
    ttl: hourMs,
    load: async () => (await translationBackend(app)?.languages()) ?? new Map<string, string[]>(),
  }),
}));

/** What can be translated to what; empty without a service, 503 when the service does not tell. */
export async function languagePairs(app: App): Promise<LanguagePairs> {
  const { failed, pairs } = cache(app);
  if (failed.get('pairs') !== undefined) throw remoteUnavailable();
  try {
    return await pairs.get('pairs');
  } catch (error) {
    failed.set('pairs', error as Error);
    throw error;
  }
}

/** The same as a JSON object; the key `und` stands for texts whose language is not known. */
export async function translationLanguages(app: App): Promise<Record<string, string[]>> {
  return Object.fromEntries([...(await languagePairs(app))].map(([source, targets]) => [source, [...targets]]));
}

/** The codes to ask the service with for a pair of languages, by their regions or without; undefined when it has none. */
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
