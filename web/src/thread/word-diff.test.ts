import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords, type DiffPiece } from './word-diff.ts';

const shape = (pieces: readonly DiffPiece[]): string =>
  pieces.map(({ kind, text }) => (kind === 'kept' ? text : kind === 'added' ? `+[${text}]` : `-[${text}]`)).join('');

test.each([
  ['a red bird', 'a red bird', 'a red bird'],
  ['a red bird', 'a blue bird', 'a -[red]+[blue] bird'],
  ['a bird', 'a small bird', 'a +[small ]bird'],
  ['one two three', 'one three', 'one -[two ]three'],
  ['', 'new', '+[new]'],
  ['gone', '', '-[gone]'],
  ['', '', ''],
  ['鳥が歌う', '鳥が飛ぶ', '鳥が-[歌う]+[飛ぶ]'],
])('from "%s" to "%s" changes %s', (before, after, difference) => {
  expect(shape(diffWords(before, after))).toBe(difference);
});

test('the pieces of a difference make up both texts', () => {
  const text = fc.array(fc.constantFrom('a', 'bird', 'sings', '\n', '🐦', 'ü')).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffWords(before, after);
      const textOf = (kind: DiffPiece['kind']): string =>
        pieces.flatMap((piece) => (piece.kind === 'kept' || piece.kind === kind ? [piece.text] : [])).join('');
      expect(textOf('removed')).toBe(before);
      expect(textOf('added')).toBe(after);
    }),
  );
});

test('very long texts are replaced as a whole', () => {
  const long = 'word '.repeat(2_000);
  expect(diffWords(long, 'short')).toEqual([
    { kind: 'removed', text: long },
    { kind: 'added', text: 'short' },
  ]);
});
