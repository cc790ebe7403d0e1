import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCpuTime } from '../../../test/cpu-time.ts';
import { KeywordAutomaton, type Keyword, type TextRange } from './keyword-automaton.ts';
import { TextGrams } from './text-grams.ts';
import { isWordBoundary } from './word-boundaries.ts';

/** What the automaton must find, without any trick: for each group the earliest end, then the longest keyword. */
function searchSlowly(keywords: readonly Keyword[], text: string): Map<number, TextRange> {
  const found = new Map<number, TextRange>();
  for (const { text: keyword, wholeWord, group } of keywords) {
    for (let start = 0; start + keyword.length <= text.length; start += 1) {
      const end = start + keyword.length;
      if (keyword === '' || text.slice(start, end) !== keyword) continue;
      if (wholeWord && !(isWordBoundary(text, start) && isWordBoundary(text, end))) continue;
      const best = found.get(group);
      if (best === undefined || end < best.end || (end === best.end && start < best.start))
        found.set(group, { start, end });
    }
  }
  return found;
}

const sorted = (found: Map<number, TextRange>) => [...found].toSorted(([a], [b]) => a - b);

test.each([
  ['letters and spaces', ['a', 'b', ' ']],
  ['scripts with and without spaces', ['a', 'é', '猫', 'か', '한', '_', '-', ' ']],
  ['letters beyond the basic plane', ['a', '𝒳', '𠮷', '🐦', ' ']],
])('FL2-01: keywords of %s are found as by comparing each at each place', (_name, alphabet) => {
  const unit = fc.constantFrom(...alphabet);
  const keyword = fc.record({
    text: fc.string({ unit, maxLength: 4 }),
    wholeWord: fc.boolean(),
    group: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(keyword, { maxLength: 8 }), fc.string({ unit, maxLength: 30 }), (keywords, text) => {
      const automaton = new KeywordAutomaton(keywords);
      const expected = searchSlowly(keywords, text);
      expect(sorted(automaton.search(text))).toEqual(sorted(expected));
      if (expected.size > 0) expect(automaton.mayMatch(new TextGrams(text))).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

test('most texts without a keyword are known not to match before they are searched', () => {
  const words = ['herring', 'redwing', 'thrush', 'wren', 'owl', 'ja', 'é', '猫カフェ'];
  const automaton = new KeywordAutomaton(words.map((text, group) => ({ text, wholeWord: true, group })));
  const mayMatch = (text: string): boolean => automaton.mayMatch(new TextGrams(text));
  expect(words.map((word) => mayMatch(`a ${word}.`))).not.toContain(false);
  const others = ['fieldfares eat berries in winter', 'the ringing', 'a kiwi and a cat', '犬カフェ', ''];
  expect(others.map(mayMatch)).not.toContain(true);
});

test.each([
  ['nested prefixes', (at: number) => 'a'.repeat(at + 1)],
  ['long repeats with different ends', (at: number) => `${'a'.repeat(500)}${at}`],
  ['nested words', (at: number) => `y${' xy'.repeat(at)}`],
  ['words that end in each other', (at: number) => `${'a'.repeat(at)}b`],
])('a hostile list of keywords (%s) takes little time on a long hostile text', (_name, keywordAt) => {
  const keywords = Array.from({ length: 170 }, (_, at) => ({ text: keywordAt(at), wholeWord: true, group: at }));
  const automaton = new KeywordAutomaton(keywords);
  const texts = ['a'.repeat(20_000), 'xy '.repeat(7_000), 'aab'.repeat(7_000), `${'a'.repeat(600)}b`.repeat(30)];
  const cpuTime = countCpuTime();
  for (const text of texts) automaton.search(text);
  // Comparing each keyword at each place takes seconds.
  expect(cpuTime()).toBeLessThan(500);
});
