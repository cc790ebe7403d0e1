/** Frequent short words that few other languages have. */
const frequentWords: Readonly<Record<string, string>> = {
  de: 'und der die das ist nicht ich ein eine mit auf für wir sind auch noch aber wenn',
  en: 'the and is are of to that this with for you was have not but they what from',
  es: 'el los las una que está por para con pero muy también más como esto hay',
  fr: 'le les des une est pas que pour dans avec sur mais je nous vous très aussi être',
  it: 'il gli che non per una sono con della questo anche come più ma è nel',
  nl: 'het een niet van dat ik je wij zijn met voor maar ook naar deze',
  pl: 'nie jest się że na do tak ale jak czy dla tylko już bardzo',
  pt: 'não uma os que para com mas muito também você está são isso mais ao',
  sv: 'och att det är inte jag en som med för på vi men också har',
};
const scripts: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['th', /\p{Script=Thai}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['uk', /[іїєґ]/u],
  ['ru', /\p{Script=Cyrillic}/u],
];
const dictionary = Object.entries(frequentWords).map(
  ([language, words]) => [language, new Set(words.split(' '))] as const,
);
const minWords = 5;

/** Returns the language that a text seems to be in; undefined if it is short or unclear. Only for a hint. */
export function guessLanguage(text: string): string | undefined {
  const plain = text.replaceAll(/https?:\S+|[@#]\S+/g, ' ').toLowerCase();
  const letters = plain.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 8) return undefined;
  const script = scripts.find(([, pattern]) => pattern.test(plain));
  if (script !== undefined) return script[0];
  const words = plain.split(/[^\p{L}']+/u).filter((one) => one !== '');
  if (words.length < minWords) return undefined;
  const [best, second] = dictionary
    .map(([language, frequent]) => ({ language, count: words.filter((one) => frequent.has(one)).length }))
    .toSorted((one, other) => other.count - one.count);
  if (best === undefined || best.count < 2 || best.count <= 1.5 * (second?.count ?? 0)) return undefined;
  return best.language;
}
