/** A pattern that makes a test depend on the speed of the machine. */
export type WallTimeRule = 'clock' | 'timer' | 'race' | 'short timeout' | 'long timeout' | 'short server timeout';

/** Limits of timeouts in milliseconds. A busy machine needs the minimum. */
const timeouts = { min: 30_000, max: 120_000 };

/**
 * Minimum in milliseconds of timeouts of the server that end every statement, connection or request, also those that the test
 * expects to succeed. Waiting costs no CPU.
 */
const minServerTimeout = 3_000;

/** Patterns for code without comments, whose strings are empty. */
const patterns: Readonly<Record<'clock' | 'timer' | 'race', readonly RegExp[]>> = {
  clock: [
    // Date.now(), Date['now'](), Date(), const { now } = Date, const Clock = Date
    /\bDate\s*\??\.\s*now\b|\bDate\s*(?:\?\.)?\s*\[|(?<!new\s+)(?<![.\w])\bDate\s*\(/,
    /=\s*(?:globalThis\s*\.\s*)?(?:Date|performance|process)\s*[;,)\n]/,
    // The current time is a value to store, `{ suspended_at: new Date() }`. Anything else computes with it.
    /(?<!:\s*)\bnew\s+(?:globalThis\s*\.\s*)?Date\s*\(\s*\)|\bnew\s+Date\s*\(\s*\)\s*[-.*/%<>]|\bnew\s+Date\b(?!\s*\()/,
    /\bperformance\b|\bperf_hooks\b|\bhrtime\b|\buptime\b|\btimeStamp\b|\bgetRealSystemTime\b/,
    /\bconsole\s*\.\s*time|\bTemporal\s*\.\s*Now\b|\bclock_timestamp\b/,
  ],
  timer: [/\bsetTimeout\b|\bsetInterval\b|\bscheduler\b|\bpg_sleep\b|\bAbortSignal\s*\.\s*timeout\b/],
  race: [/\bPromise\s*\.\s*(?:race|any)\b/],
};

/**
 * Returns the rules that the text of a test file breaks, each once. Elapsed time, timers and races of promises make
 * assertions that fail on a busy machine: count CPU time, or prove the order of events instead.
 */
export function wallTimeRules(text: string): WallTimeRule[] {
  const code = codeOf(text);
  const found = new Set<WallTimeRule>();
  for (const [rule, expressions] of Object.entries(patterns)) {
    if (expressions.some((expression) => expression.test(code))) found.add(rule as WallTimeRule);
  }
  for (const milliseconds of timeoutsIn(code)) {
    if (milliseconds < timeouts.min) found.add('short timeout');
    if (milliseconds > timeouts.max) found.add('long timeout');
  }
  const ofServer = code.matchAll(/\b(?:statement|lock|connect|connectTimeout|request|response)Ms\s*:\s*([\d_]+)/g);
  for (const [, digits = ''] of ofServer) {
    if (Number(digits.replaceAll('_', '')) < minServerTimeout) found.add('short server timeout');
  }
  return [...found].toSorted();
}

/** Removes comments, and the contents of quoted strings. Templates stay: they contain code. */
function codeOf(text: string): string {
  const parts = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
  return text.replaceAll(parts, (part, start: number) => {
    // Keep the names of imported modules, such as node:perf_hooks.
    if (/\bfrom\s*$|\bimport\(\s*$/.test(text.slice(Math.max(start - 10, 0), start)))
      return part.replaceAll(/['"]/g, ' ');
    return part.startsWith('/') ? ' ' : "''";
  });
}

/** Returns the timeouts of tests, hooks and polls, in milliseconds. */
function timeoutsIn(code: string): number[] {
  const named = code.matchAll(/\b(?:test|hook|teardown)?[tT]imeout\s*[:=]\s*([\d_]+(?:\s*\*\s*[\d_]+)*)/g);
  // test('name', () => {…}, 500), and the same for beforeAll and other hooks.
  const last = code.matchAll(/^\s*\},\s*([\d_]+),?\s*\);$/gm);
  return [...named, ...last].map(([, product = '']) =>
    product.split('*').reduce((all, factor) => all * Number(factor.replaceAll(/[_\s]/g, '')), 1),
  );
}
