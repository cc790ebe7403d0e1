import { escapePattern } from './account-patterns.ts';

/**
 * Returns LIKE patterns over names separated by spaces. Every name that differs from `word` by one typing error matches
 * one of them: the error leaves the first or the second half as it is, or swaps the letters where they meet.
 */
export function typingErrorPatterns(word: string): string[] {
  const letters = Array.from(word);
  const half = Math.floor(letters.length / 2);
  const [first, second] = [letters.slice(0, half), letters.slice(half)];
  const swapped = [...first.slice(0, -1), ...second.slice(0, 1), ...first.slice(-1), ...second.slice(1)];
  const [beginning, end, whole] = [first, second, swapped].map((part) => escapePattern(part.join(''))) as [
    string,
    string,
    string,
  ];
  return [`${beginning}%`, `% ${beginning}%`, `%${end}`, `%${end} %`, `%${whole}%`];
}
