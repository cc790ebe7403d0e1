const base = (code: string): string => code.toLowerCase().split('-', 1)[0] ?? '';

/**
 * Whether a post is in a language that the reader does not read: none of those of the client, of the posts of the reader and
 * of the browser. A post of unknown language is not foreign.
 */
export function isForeign(language: string | null, read: readonly (string | null)[]): boolean {
  return language !== null && language !== '' && !read.some((one) => one !== null && base(one) === base(language));
}

/** For each language of a post, those into which the service translates it. */
export type TranslationTargets = Readonly<Record<string, readonly string[]>>;

/** Whether the service translates from one language into another, whatever their regions. */
export const canTranslate = (targets: TranslationTargets, from: string, into: string): boolean =>
  Object.entries(targets).some(
    ([source, possible]) => base(source) === base(from) && possible.some((target) => base(target) === base(into)),
  );
