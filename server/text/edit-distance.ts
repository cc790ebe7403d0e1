/**
 * Returns the number of typing errors between two words: letters added, left out, replaced, or swapped with their
 * neighbour.
 */
export function editDistance(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
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
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}
