/** Words and patterns of the old dialect of this code base, with what to write instead (docs/glossary.md). */
const patterns: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwhom\b|\bthereof\b|\bthereby\b|\bwhereupon\b/i, instead: 'a sentence with the subject first' },
  { pattern: /\bis none (?:that|of)\b|\bthat is none\b/i, instead: 'Unknown …, invalid …' },
  { pattern: /\bbeholder|\bdeeds?\b|\bstandings?\b/i, instead: 'viewer, action, or the name of the state' },
  { pattern: /\banew\b|\bhenceforth\b|\bfor good\b/i, instead: 'again, permanently, or nothing' },
  { pattern: /\bnobody\b.*\bbut\b|\bnone but\b/i, instead: 'only …' },
  { pattern: /\b(?:says|tells) (?:what|whether|so|of)\b/i, instead: 'returns, reports, states' },
  { pattern: /^(?:Gives|Brings|Tells|Says) |; gives\b|\band gives\b/, instead: 'Returns, Loads, Reports' },
  {
    pattern: /\b(?:is|are|was|were|be|been) told\b(?! to\b)|\b(?:hears?|heard)\b/i,
    instead: 'receives, is notified of',
  },
  { pattern: /\bsomebody\b|\beverybody\b/i, instead: 'someone, everyone, an account, another user' },
  { pattern: /\bnobody (?:here|there)\b/i, instead: 'no local account, no account of the server' },
  { pattern: /\b(?:tak(?:e|es|en|ing)|took) back\b/i, instead: 'undo, revoke' },
  { pattern: /\b(?:stands?|stood) (?:in|on|at|beside)\b/i, instead: 'is in, is listed in' },
  { pattern: /\bbeliev(?:e|es|ed)\b/i, instead: 'trust, accept, verify' },
  { pattern: /\bfilms?\b|(?<!profile )\bpictures?\b/i, instead: 'video, image' },
  {
    pattern:
      /\b(?:accounts?|posts?|status(?:es)?|actors?|authors?|users?|people) of (?:this|another|other) servers?\b/i,
    instead: 'local, remote',
  },
  {
    pattern: /^(?:[A-Z]{2,4}-\d+[,:]? )+(?:who|whoever|what|whatever|those who) /,
    instead: 'a title with the subject first',
  },
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
