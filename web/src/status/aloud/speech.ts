/** Something to say, and its language; undefined if it is unknown. */
export interface Phrase {
  readonly text: string;
  readonly language: string | undefined;
}

/** Some voices fall silent in the middle of a longer text. */
const maxCharacters = 200;

/** Splits texts into sentences, and long ones between their words. */
export function splitPhrases(phrases: readonly Phrase[]): Phrase[] {
  return phrases.flatMap(({ text, language }) =>
    segments(text, 'sentence', language)
      .flatMap((sentence) => (sentence.length > maxCharacters ? joinWords(sentence, language) : [sentence]))
      .map((part) => part.trim())
      .filter((part) => /[\p{L}\p{N}]/u.test(part))
      .map((part) => ({ text: part, language })),
  );
}

function joinWords(sentence: string, language: string | undefined): string[] {
  const parts = [''];
  for (const word of segments(sentence, 'word', language)) {
    const last = parts.at(-1) ?? '';
    if (last.length + word.length <= maxCharacters) parts[parts.length - 1] = last + word;
    else parts.push(word);
  }
  return parts;
}

function segments(text: string, granularity: 'sentence' | 'word', language: string | undefined): string[] {
  const segmenter = new Intl.Segmenter(supported(language), { granularity });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns a language that the browser knows; undefined, that of the browser, for a broken code of another server. */
function supported(language: string | undefined): string | undefined {
  try {
    return language === undefined ? undefined : Intl.Segmenter.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}

type Voice = Pick<SpeechSynthesisVoice, 'lang' | 'localService' | 'default'>;

/**
 * Returns the best voice for a language: of the same region, on this device, the default. Undefined if none speaks the
 * language; the browser then chooses.
 */
export function voiceFor<Kind extends Voice>(voices: readonly Kind[], language: string): Kind | undefined {
  // Android writes en_GB.
  const normal = (code: string): string => code.replaceAll('_', '-').toLowerCase();
  const wanted = normal(language);
  const [base = ''] = wanted.split('-', 1);
  const score = ({ lang, localService, default: isDefault }: Kind): number =>
    (normal(lang) === wanted ? 4 : 0) + (localService ? 2 : 0) + (isDefault ? 1 : 0);
  return voices
    .filter(({ lang }) => normal(lang).split('-', 1)[0] === base)
    .toSorted((one, other) => score(other) - score(one))[0];
}
