import { request } from '../api/client.ts';
import type { CustomEmoji } from '../api/entities.ts';
import { locale, type Locale } from '../i18n/translate.tsx';
import { listEmojis, type EmojiNames, type UnicodeEmoji } from './list-emojis.ts';

/** An emoji of the server, as /api/v1/custom_emojis lists it. */
export type ListedEmoji = CustomEmoji & { readonly category?: string | null };

let unicodeEmojis: { readonly language: Locale; readonly loaded: Promise<readonly UnicodeEmoji[]> } | undefined;
let customEmojis: Promise<readonly ListedEmoji[]> | undefined;

// Vite makes one file of each language. Those of English are in the packages that list the emojis.
const nameFiles = import.meta.glob<{ readonly default: EmojiNames }>('./emoji-names/*.json');

/** Loads the emojis of Unicode, in its order, with names in the language of the client, or in English without a connection. */
export function loadUnicodeEmojis(): Promise<readonly UnicodeEmoji[]> {
  const language = locale.peek();
  if (unicodeEmojis?.language === language) return unicodeEmojis.loaded;
  const names = nameFiles[`./emoji-names/${language}.json`]?.();
  const loaded = loadLists(names);
  unicodeEmojis = { language, loaded };
  Promise.all([loaded, names]).catch(() => (unicodeEmojis = undefined));
  return loaded;
}

async function loadLists(named: Promise<{ readonly default: EmojiNames }> | undefined) {
  const [groups, keywords, names] = await Promise.all([
    import('unicode-emoji-json/data-by-group.json'),
    import('emojilib'),
    named?.catch(() => undefined),
  ]);
  return listEmojis({ groups: groups.default, keywords: keywords.default, names: names?.default });
}

/** Loads the emojis of the server that people may choose. */
export function loadCustomEmojis(): Promise<readonly ListedEmoji[]> {
  customEmojis ??= request<readonly ListedEmoji[]>('GET', '/api/v1/custom_emojis').then((emojis) =>
    emojis.filter(({ visible_in_picker: isVisible }) => isVisible),
  );
  customEmojis.catch(() => (customEmojis = undefined));
  return customEmojis;
}

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
