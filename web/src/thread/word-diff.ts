/** A piece of a text that was kept, added or removed. */
export interface DiffPiece {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
}

/** Longer texts are compared as a whole: the table of the comparison grows with the product of their words. */
const maxWords = 2_000;

/** Compares two texts word by word. Neighbours of a kind are joined, and removed words stand before added ones. */
export function diffWords(before: string, after: string): readonly DiffPiece[] {
  if (before === after) return before === '' ? [] : [{ kind: 'kept', text: before }];
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old.length > maxWords || now.length > maxWords) return joinPieces(whole(before, after));
  const lengths = commonLengths(old, now);
  const pieces: DiffPiece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      pieces.push({ kind: 'kept', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      pieces.push({ kind: 'removed', text: old[i] ?? '' });
      i += 1;
    } else {
      pieces.push({ kind: 'added', text: now[j] ?? '' });
      j += 1;
    }
  }
  return joinPieces(pieces);
}

const whole = (before: string, after: string): DiffPiece[] => [
  { kind: 'removed', text: before },
  { kind: 'added', text: after },
];

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);

const at = (lengths: readonly Uint16Array[], i: number, j: number): number => lengths[i]?.[j] ?? 0;

/** Returns, for each pair of positions, the length of the longest common subsequence of the rests. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = lengths[i];
    if (row === undefined) continue;
    for (let j = now.length - 1; j >= 0; j -= 1)
      row[j] =
        old[i] === now[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
  }
  return lengths;
}

function joinPieces(pieces: readonly DiffPiece[]): readonly DiffPiece[] {
  const joined: DiffPiece[] = [];
  let [removed, added] = ['', ''];
  const flush = (): void => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed });
    if (added !== '') joined.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const { kind, text } of pieces) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = joined.at(-1);
      if (last?.kind === 'kept') joined[joined.length - 1] = { kind, text: last.text + text };
      else joined.push({ kind, text });
    }
  }
  flush();
  return joined;
}
