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
  unicodeEmojis ??= import('./unicode-emojis.txt?raw').then((module) => parseEmojis(module.default));
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

/** Parses unicode-emojis.txt: `# group` lines, and lines of an emoji, its name and `|` further words. */
export function parseEmojis(text: string): readonly UnicodeEmoji[] {
  const emojis: UnicodeEmoji[] = [];
  let group = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) group = line.slice(2);
    const [, emoji, name, words = ''] = /^([^#\s]\S*|[#*]\S+) ([^|]+)\|?(.*)$/.exec(line) ?? [];
    if (emoji !== undefined && name !== undefined)
      emojis.push({ emoji, name, words: `${name} ${words}`.toLowerCase(), group });
  }
  return emojis;
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
