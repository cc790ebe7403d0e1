/** Words and patterns of the old dialect of this code base, with what to write instead (docs/glossary.md). */
const patterns: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwhom\b|\bthereof\b|\bthereby\b|\bwhereupon\b/i, instead: 'a sentence with the subject first' },
  { pattern: /\bis none (?:that|of)\b|\bthat is none\b/i, instead: 'Unknown …, invalid …' },
  { pattern: /\bbeholder|\bdeeds?\b|\bstandings?\b/i, instead: 'viewer, action, or the name of the state' },
  { pattern: /\banew\b|\bhenceforth\b|\bfor good\b/i, instead: 'again, permanently, or nothing' },
  { pattern: /\bnobody\b.*\bbut\b|\bnone but\b/i, instead: 'only …' },
  { pattern: /\b(?:says|tells) (?:what|whether|so|of)\b/i, instead: 'returns, reports, states' },
  { pattern: /^(?:Gives|Brings|Tells|Says) /, instead: 'Returns, Loads, Reports' },
  { pattern: /\bis told of\b|\bare told of\b|\bhears? of\b/i, instead: 'receives, is notified of' },
  { pattern: /\bhave them shown\b|\btake access away\b/i, instead: 'Show …, Revoke access' },
];

/** Identifiers of the old dialect; whole words of a camelCase name. */
const identifiers =
  /\b(?:most|longest)[A-Z]\w*|\b(?:\w+AtOnce|atOnce|endOfTime|takePart|whenLive|crowdWrite|gathered|patience\w*)\b/;

export interface DialectFinding {
  readonly line: number;
  readonly text: string;
  readonly instead: string;
}

/** Returns the phrases of the old dialect in comments and strings of a source file, and old identifiers in its code. */
export function findDialect(source: string): DialectFinding[] {
  const findings: DialectFinding[] = [];
  for (const { line, text, kind } of partsOf(source)) {
    if (kind === 'code') {
      const match = identifiers.exec(text);
      if (match !== null) findings.push({ line, text: match[0], instead: 'max…, batchSize, timeoutMs, …' });
      continue;
    }
    for (const { pattern, instead } of patterns) {
      const match = pattern.exec(text);
      if (match !== null) findings.push({ line, text: match[0].trim(), instead });
    }
  }
  return findings;
}

interface Part {
  readonly line: number;
  readonly text: string;
  readonly kind: 'code' | 'prose';
}

/** Splits a source into comments and strings (prose), and the code between them, line by line. */
function partsOf(source: string): Part[] {
  const parts: Part[] = [];
  const token = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  let end = 0;
  const add = (text: string, start: number, kind: Part['kind']): void => {
    let line = source.slice(0, start).split('\n').length;
    for (const each of text.split('\n')) {
      const plain = kind === 'prose' ? each.replace(/^[\s/*'"`]+/, '') : each;
      if (plain !== '') parts.push({ line, text: plain, kind });
      line += 1;
    }
  };
  for (const match of source.matchAll(token)) {
    add(source.slice(end, match.index), end, 'code');
    if (!/\bfrom\s*$/.test(source.slice(Math.max(match.index - 8, 0), match.index)))
      add(match[0], match.index, 'prose');
    end = match.index + match[0].length;
  }
  add(source.slice(end), end, 'code');
  return parts;
}
