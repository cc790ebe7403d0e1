// Measures what moderation rules cost a post: npm run bench -- rules. Writes a section of docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { compileRules, type EnabledRule } from '../server/moderation-rules/matching/compile-rules.ts';
import { matchRules, type Screened } from '../server/moderation-rules/matching/index.ts';
import { newId, type AccountId } from '../server/platform/ids.ts';
import type { ModerationRuleId } from '../server/moderation-rules/index.ts';
import { describeRun, writeSection } from './write-section.ts';

const { values } = parseArgs({
  options: {
    /** Print the section and do not write docs/benchmarks.md. */
    print: { type: 'boolean', default: false },
  },
});

const ruleCount = 100;
const keywordsPerRule = 10;
const wordsPerPost = 70;
const posts = 20_000;
const rounds = 5;
const maxMilliseconds = 0.2;

/** Returns a pseudo-random word of lower-case letters. The same number always returns the same word. */
const word = (number: number): string =>
  (Math.imul(number + 1, 0x9e3779b1) >>> 0)
    .toString(26)
    .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');

const words = (count: number, from: number): string[] => Array.from({ length: count }, (_, at) => word(from + at));

const rules = Array.from({ length: ruleCount }, (_, at): EnabledRule => ({
  id: String(at) as ModerationRuleId,
  title: `Rule ${at}`,
  subject: 'post',
  origin: 'any',
  conditions: {
    text: { keywords: words(keywordsPerRule, at * keywordsPerRule), whole_word: at % 2 === 0 },
    ...(at % 4 === 0 && { links: { domains: [`spam${at}.example`] } }),
    ...(at % 10 === 0 && { languages: ['de'] }),
  },
  actions: ['report'],
  score: 100,
}));

const scenarios: readonly { readonly name: string; readonly textOf: (post: number) => string }[] = [
  { name: 'words that no rule has', textOf: (post) => words(wordsPerPost, 1_000_000 + post * 10).join(' ') },
  { name: 'every word is a keyword', textOf: (post) => words(wordsPerPost, post % 900).join(' ') },
];

const compiled = compileRules(rules);
if (compiled === undefined) throw new Error('there are no rules');
const lines: string[] = [];
for (const { name, textOf } of scenarios) {
  const results: number[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measurePosts(textOf));
  results.sort((a, b) => a - b);
  const [fastest = 0, slowest = 0] = [results[0], results.at(-1)];
  const median = results[rounds >> 1] ?? 0;
  lines.push(
    `| ${name} | ${median.toFixed(3)} ms | ${fastest.toFixed(3)}–${slowest.toFixed(3)} ms | ${maxMilliseconds} ms |`,
  );
}
writeSection(
  [
    '## Moderation rules',
    '',
    `A post of ${wordsPerPost} words with two links is compared with ${ruleCount} rules of ${keywordsPerRule} keywords each.`,
    '',
    ...describeRun('npm run bench -- rules'),
    '',
    '| post | CPU | range | at most |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n'),
  values,
);

/** Returns the milliseconds of CPU of one post. */
async function measurePosts(textOf: (post: number) => string): Promise<number> {
  const accountId: AccountId = newId<'account'>(new Date());
  const texts = Array.from({ length: posts }, (_, at) => textOf(at));
  const before = process.cpuUsage();
  for (const text of texts) {
    const screened: Screened = {
      subject: 'post',
      local: true,
      accountId,
      domain: null,
      language: 'en',
      texts: () => Promise.resolve([text]),
      links: () => [
        { host: 'www.spam4.example', isMarked: false },
        { host: 'news.example', isMarked: false },
      ],
      countSince: () => Promise.resolve(0),
    };
    await matchRules(compiled as NonNullable<typeof compiled>, screened, new Date());
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / posts;
}
