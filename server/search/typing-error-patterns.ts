import { escapePattern } from './account-patterns.ts';

/** A part of the word that the errors leave as it is. */
interface IntactPart {
  readonly text: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Returns LIKE patterns over names separated by spaces. Every name that differs from `word` by at most `errors` typing
 * errors matches one of them: they leave one of `errors + 1` parts as it is, or swap the letters where two parts meet.
 */
export function typingErrorPatterns(word: string, errors: number): string[] {
  const patterns = intactParts(Array.from(word), errors).flatMap(({ text, isFirst, isLast }) => {
    const escaped = escapePattern(text);
    if (isFirst) return [`${escaped}%`, `% ${escaped}%`];
    return isLast ? [`%${escaped}`, `%${escaped} %`] : [`%${escaped}%`];
  });
  return [...new Set(patterns)];
}

/** The parts, neighbours with their border swapped, and the whole word with all borders swapped. */
function intactParts(letters: readonly string[], errors: number): IntactPart[] {
  const borders = Array.from({ length: errors + 2 }, (_, index) => Math.floor((index * letters.length) / (errors + 1)));
  const part = (from: number, to: number, source = letters): IntactPart => ({
    text: source.slice(from, to).join(''),
    isFirst: from === 0,
    isLast: to === letters.length,
  });
  const swap = (word: readonly string[], at: number): readonly string[] =>
    word.with(at - 1, word[at] ?? '').with(at, word[at - 1] ?? '');
  const inner = borders.slice(1, -1);
  return [
    ...borders.slice(1).map((to, index) => part(borders[index] ?? 0, to)),
    ...inner.map((at, index) => part(borders[index] ?? 0, borders[index + 2] ?? letters.length, swap(letters, at))),
    ...(inner.length > 1 ? [part(0, letters.length, inner.reduce(swap, letters))] : []),
  ];
}
