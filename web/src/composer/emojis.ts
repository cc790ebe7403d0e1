import { request } from '../api/client.ts';
import type { CustomEmoji } from '../api/entities.ts';

/** An emoji of Unicode, with its English names. */
export interface UnicodeEmoji {
  readonly emoji: string;
  readonly name: string;
  /** Its name and other words, in lower case. */
  readonly words: string;
  readonly group: string;
}

/** An emoji of the server, as /api/v1/custom_emojis lists it. */
export type ListedEmoji = CustomEmoji & { readonly category?: string | null };

let unicodeEmojis: Promise<readonly UnicodeEmoji[]> | undefined;
let customEmojis: Promise<readonly ListedEmoji[]> | undefined;

/** Loads the emojis of Unicode, in its order. */
export function loadUnicodeEmojis(): Promise<readonly UnicodeEmoji[]> {
  unicodeEmojis ??= Promise.all([import('unicode-emoji-json/data-by-group.json'), import('emojilib')]).then(
    ([groups, keywords]) => listEmojis(groups.default, keywords.default),
  );
  unicodeEmojis.catch(() => (unicodeEmojis = undefined));
  return unicodeEmojis;
}

/** Loads the emojis of the server that people may choose. */
export function loadCustomEmojis(): Promise<readonly ListedEmoji[]> {
  customEmojis ??= request<readonly ListedEmoji[]>('GET', '/api/v1/custom_emojis').then((emojis) =>
    emojis.filter(({ visible_in_picker: isVisible }) => isVisible),
  );
  customEmojis.catch(() => (customEmojis = undefined));
  return customEmojis;
}

/** A group of emojis, as the package unicode-emoji-json has it. */
interface EmojiGroup {
  readonly slug: string;
  readonly emojis: readonly { readonly emoji: string; readonly name: string }[];
}

/** Lists the emojis of all groups. `keywords`: further words for each. */
export const listEmojis = (
  groups: readonly EmojiGroup[],
  keywords: Readonly<Record<string, readonly string[]>>,
): readonly UnicodeEmoji[] =>
  groups.flatMap(({ slug: group, emojis }) =>
    emojis.map(({ emoji, name }) => {
      const words = [name, ...(keywords[emoji] ?? [])].join(' ').replaceAll('_', ' ').toLowerCase();
      return { emoji, name, words, group };
    }),
  );

const recentKey = 'fieldfare.composer.recentEmojis';
const maxRecent = 24;

/** Returns the emojis that were chosen last in this browser: characters and `:shortcodes:`. */
export function recentEmojis(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(recentKey) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

/** Remembers that an emoji was chosen. */
export function addRecentEmoji(emoji: string): void {
  const recent = [emoji, ...recentEmojis().filter((one) => one !== emoji)].slice(0, maxRecent);
  try {
    localStorage.setItem(recentKey, JSON.stringify(recent));
  } catch {
    // The storage is full or blocked: nothing is remembered.
  }
}
