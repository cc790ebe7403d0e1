import { FilterMatcher } from '../server/filters/filter-matcher.ts';
import type { FilterRow } from '../server/filters/find-filters.ts';
import { SearchableText } from '../server/filters/searchable-text.ts';
import type { AccountId, FilterId, FilterKeywordId, StatusId } from '../server/platform/ids.ts';

/** What it costs to compare a page of statuses with keywords, in milliseconds of CPU. */
export interface MatchingResult {
  readonly name: string;
  /** Characters of the whole page. */
  readonly characters: number;
  /** Compiling the keywords, once per account and change. */
  readonly compileMs: number;
  /** Comparing a page whose texts are folded, for the first time. */
  readonly firstMs: number;
  /** Comparing it again. */
  readonly againMs: number;
}

const keywordCount = 200;
const pageLength = 40;
/** Words of one post; a long one has about 500 characters. */
const wordsPerPost = 70;

/** Returns a pseudo-random word of lower-case letters. The same number always returns the same word. */
function word(number: number): string {
  const text = (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(26);
  return text.replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
}

const words = (count: number, from: number): string[] => Array.from({ length: count }, (_, at) => word(from + at));

const scenarios: readonly { name: string; keywords: readonly string[]; texts: readonly string[] }[] = [
  {
    name: 'words that few posts have',
    keywords: words(keywordCount, 0),
    texts: Array.from({ length: pageLength }, (_, at) => words(wordsPerPost, keywordCount - 5 + at * 50).join(' ')),
  },
  {
    name: 'the same beginning, in posts of repeats (hostile)',
    keywords: Array.from({ length: keywordCount }, (_, at) => `${'a'.repeat(500)}${word(at)}`),
    texts: Array.from({ length: pageLength }, () => 'a'.repeat(500)),
  },
  {
    name: 'words that end in each other (hostile)',
    keywords: Array.from({ length: keywordCount }, (_, at) => `y${' xy'.repeat(at % 170)}`),
    texts: Array.from({ length: pageLength }, () => 'xy '.repeat(166)),
  },
  {
    name: 'words of regular expressions (hostile)',
    keywords: Array.from({ length: keywordCount }, (_, at) => `(${'a+'.repeat(at)})+$`),
    texts: Array.from({ length: pageLength }, () => 'a+'.repeat(250)),
  },
];

/** Measures all scenarios with 200 keywords in 20 filters. */
export function measureMatching(): MatchingResult[] {
  return scenarios.map(({ name, keywords, texts }) => {
    const rows = buildFilters(keywords);
    const page = texts.map((text, at) => ({
      id: String(at) as StatusId,
      searchableText: new SearchableText(() => text),
    }));
    const compare = (matcher: FilterMatcher): void => {
      for (const status of page) matcher.matchJson(status);
    };
    const compile = () => new FilterMatcher(rows, new Date());
    const matchers = Array.from({ length: 2 * repeats }, compile);
    const known = compile();
    return {
      name,
      characters: texts.join('').length,
      compileMs: measureCpu(compile),
      firstMs: measureCpu((at) => compare(matchers[at] as FilterMatcher)),
      againMs: measureCpu(() => compare(known)),
    };
  });
}

const repeats = 100;

/** Returns the CPU time of one run, after as many runs to warm up. */
function measureCpu(run: (at: number) => void): number {
  for (let at = 0; at < repeats; at += 1) run(at);
  const before = process.cpuUsage();
  for (let at = 0; at < repeats; at += 1) run(repeats + at);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / repeats;
}

function buildFilters(keywords: readonly string[]): FilterRow[] {
  const perFilter = keywords.length / 20;
  return Array.from({ length: 20 }, (_, at) => ({
    id: String(at) as FilterId,
    account_id: '1' as AccountId,
    title: `Filter ${at}`,
    context: ['home'],
    filter_action: 'warn',
    expires_at: null,
    statuses: [],
    keywords: keywords.slice(at * perFilter, (at + 1) * perFilter).map((keyword, index) => ({
      id: String(index) as FilterKeywordId,
      keyword,
      whole_word: true,
    })),
  }));
}
