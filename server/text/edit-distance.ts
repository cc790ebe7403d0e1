/**
 * Returns the number of typing errors between two words: letters added, left out, replaced, or swapped with their
 * neighbour. Words with more than `max` errors are not compared to their end: returns a number above it.
 */
export function editDistance(a: string, b: string, max = Infinity): number {
  const [left, right] = withoutCommonEnds(a, b);
  if (Math.abs(left.length - right.length) > max) return max + 1;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const isSwap = row > 0 && column > 0 && letter === right[column - 1] && left[row - 1] === other;
      current.push(
        Math.min(
          (last[column] ?? 0) + (letter === other ? 0 : 1),
          (last[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          isSwap ? (beforeLast[column - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...last) > max && Math.min(...current) > max) return max + 1;
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}

/** Most words that are compared are similar, so little is left. Halves of a surrogate pair that differ count as letters. */
function withoutCommonEnds(a: string, b: string): [string[], string[]] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [Array.from(a.slice(start, a.length - end)), Array.from(b.slice(start, b.length - end))];
}
