import { expect, test } from 'vitest';
import { foldText, sliceByFolded } from './fold-text.ts';

test.each([
  ['CAT', 'cat'],
  ['STRASSE', 'straße'],
  ['ΟΔΟΣ', 'οδος'],
  ['ＦＵＬＬ ｗｉｄｔｈ', 'full width'],
  ['ﬁsh', 'fish'],
  ['ｶﾞ', 'ガ'],
  ['Cafe\u0301', 'café'],
  ['İSTANBUL', 'istanbul'],
  ['ISPARTA', 'ısparta'],
  ['two\u00a0 \n words', 'two words'],
])('%s and %s are the same text', (a, b) => {
  expect(foldText(a)).toBe(foldText(b));
});

test.each(['cat', 'e\u0301t\u00e9', 'a猫b', '🐦x'])('%s is not changed by folding twice', (text) => {
  expect(foldText(foldText(text))).toBe(foldText(text));
});

test.each([
  ['I like CATS', 'cats', 'CATS'],
  ['Die Straße dort', 'strasse', 'Straße'],
  ['ｶﾞｯﾁｬ!', 'ガッチャ', 'ｶﾞｯﾁｬ'],
  ['un Cafe\u0301 noir', 'café', 'Cafe\u0301'],
  ['so\n\nlong', 'so long', 'so\n\nlong'],
  ['🐦 Ünïcode 🐦', 'ünïcode', 'Ünïcode'],
  ['ᄀ ㄱㅏ', '가', '가'],
])('the part of %j that matches %s is found', (text, part, original) => {
  const folded = foldText(text);
  const start = folded.indexOf(foldText(part));
  expect(sliceByFolded(text, start, start + foldText(part).length)).toBe(original);
});
