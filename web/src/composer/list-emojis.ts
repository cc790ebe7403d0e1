/** An emoji of Unicode, with its names. */
export interface UnicodeEmoji {
  readonly emoji: string;
  /** In the language of the client. */
  readonly name: string;
  /** Its names and search words, as of `foldText`: those in the language of the client, then the English ones. */
  readonly words: readonly string[];
  readonly group: string;
}

/** A group of emojis, as the package unicode-emoji-json has it. */
interface EmojiGroup {
  readonly slug: string;
  readonly emojis: readonly { readonly emoji: string; readonly name: string }[];
}

/** The name of each emoji in one language, and further search words. */
export type EmojiNames = Readonly<Record<string, readonly string[]>>;

interface EmojiSources {
  readonly groups: readonly EmojiGroup[];
  /** English search words. */
  readonly keywords: EmojiNames;
  /** In the language of the client. Emojis that are missing here have English names. */
  readonly names?: EmojiNames | undefined;
}

/** Lists the emojis of all groups, in the order of Unicode. */
export const listEmojis = ({ groups, keywords, names = {} }: EmojiSources): readonly UnicodeEmoji[] =>
  groups.flatMap(({ slug: group, emojis }) =>
    emojis.map(({ emoji, name: englishName }) => {
      const english = foldText([englishName, ...(keywords[emoji] ?? [])].join(' '));
      const own = names[emoji];
      if (own === undefined) return { emoji, name: englishName, words: [english], group };
      return { emoji, name: own[0] ?? englishName, words: [foldText(own.join(' ')), english], group };
    }),
  );

/** Combining accents, and in Arabic vowel signs, hamza and the line that stretches words. */
const marks = /[\u0300-\u036F\u0640\u064B-\u0655\u0670]/g;
const katakana = /[\u30A1-\u30F6]/g;
const katakanaOffset = 0x60;
const sameLetters: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae', ى: 'ي', ة: 'ه', _: ' ' };

/** Returns a text as people may type it in a search: in lower case, without accents, and with kana as hiragana. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[ßœæىة_]/g, (letter) => sameLetters[letter] ?? letter)
    .replaceAll(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - katakanaOffset));

/**
 * Returns how well an emoji matches a search, both as of `foldText`: 0 if a name begins with it, 1 if a word does, 2 if it
 * is within a word. Undefined if it does not match.
 */
export function rankEmoji(words: readonly string[], wanted: string): number | undefined {
  const ranks = words.flatMap((text) => {
    if (text.startsWith(wanted)) return 0;
    if (text.includes(` ${wanted}`)) return 1;
    return text.includes(wanted) || text.replaceAll(' ', '').startsWith(wanted) ? 2 : [];
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}
