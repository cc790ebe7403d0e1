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
  ['ⓑⓐⓓ 𝕓𝕒𝕕 𝐛𝐚𝐝', 'bad bad bad'],
  ['b\u200ba\u2060d\u00ad b\ufe0fa\u034fd\u{e0041}', 'bad bad'],
  ['b\u0336a\u0336d\u0336', 'bad'],
  ['b\u0338a\u0338d', 'bad'],
  ['b\u20dda\u20e0d\u20e3', 'bad'],
  ['b\u0332a\u0332d\u0332', 'bad'],
  ['b\u0353\u033da\u0353\u033dd\u0353\u033d', 'bad'],
  ['b\u0301\u0323\u0300a\u0301\u0323\u0300d', 'bad'],
  ['b\u0308ä\u0308d\u0308', 'bad'],
  ['ḃȧḋ', 'bad'],
  ['b\u0e47a\u0616d\u064b', 'bad'],
  ['п\u0336л\u0336о\u0336х\u0336', 'плох'],
  ['š\u0336p\u0336ä\u0336m\u0336', 'spam'],
  ['х\u0488й\u0488', 'хи'],
  ['ש\u0336ל\u0336ו\u0336ם', 'שלום'],
  ['ا\u0336ب\u0336ج', 'ابج'],
  ['ひ\u0336ど\u0336い\u0336', 'ひどい'],
  ['한\u0336국\u0336', '한국'],
  ['ọ\u0301rọ\u0300', 'ọrọ'],
  ['\u{1f3f4}\u200d☠\ufe0f', '\u{1f3f4}☠'],
])('%s and %s are the same text', (a, b) => {
  expect(foldText(a)).toBe(foldText(b));
});

test.each([
  ['für', 'fur'],
  ['año', 'ano'],
  ['été', 'ete'],
  ['Đường ổn ướt', 'Đuong on uot'],
  ['мой', 'мои'],
  ['ἅλς', 'αλς'],
  ['สระ', 'สร'],
  ['กี่', 'กี'],
  ['हिंदी', 'हद'],
  ['مَكتَب', 'مكتب'],
  ['שָׁלוֹם', 'שלום'],
  ['が', 'か'],
  ['1\ufe0f\u20e3', '1'],
  [
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  ],
])('%s and %s are different texts', (a, b) => {
  expect(foldText(a)).not.toBe(foldText(b));
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
  ['so b\u0336a\u0336d\u0336!', 'bad', 'b\u0336a\u0336d\u0336'],
  ['so b\u200ba\u00add!', 'bad', 'b\u200ba\u00add'],
  ['so b\u0308äd\u0308!', 'bad', 'b\u0308äd\u0308'],
])('the part of %j that matches %s is found', (text, part, original) => {
  const folded = foldText(text);
  const start = folded.indexOf(foldText(part));
  expect(sliceByFolded(text, start, start + foldText(part).length)).toBe(original);
});
