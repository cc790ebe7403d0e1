/** Longest word in UTF-16 units that is stemmed. */
const maxStemmedLength = 100;

/** A word of a text, or a character of a script that is written without spaces. */
export interface Word {
  /** The indexed form: NFKC, lower case, without the accents of European scripts. */
  readonly folded: string;
  /** The same word with its accents, which a stemmer needs; undefined for a character or a very long word. */
  readonly accented: string | undefined;
  readonly isCharacter: boolean;
  /** Both this and the previous one are characters, with nothing between them. */
  readonly isJoined: boolean;
}

const wordCharacter = String.raw`[\p{L}\p{M}\p{N}]`;
/** Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese, which have no spaces or attach particles to words. */
const spaceless = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&${wordCharacter}]`;
const wordPattern = new RegExp(`(${spaceless}+)|[${wordCharacter}--${spaceless}]+`, 'gv');

/** Returns the words of a text in order, with repeats; of scripts without spaces, the characters. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const [segment, run] of text.normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
    if (run === undefined) addWord(words, segment);
    else addCharacters(words, run);
  }
  return words;
}

function addWord(words: Word[], accented: string): void {
  const folded = foldWord(accented);
  if (folded === '') return;
  const canStem = accented.length <= maxStemmedLength;
  words.push({ folded, accented: canStem ? accented : undefined, isCharacter: false, isJoined: false });
}

function addCharacters(words: Word[], run: string): void {
  let isJoined = false;
  for (const character of run) {
    words.push({ folded: character, accented: undefined, isCharacter: true, isJoined });
    isJoined = true;
  }
}

/** Removes the accents of European scripts. */
export function foldWord(word: string): string {
  if (!/[^\0-\x7f]/.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC');
}
