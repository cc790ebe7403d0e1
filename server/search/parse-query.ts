import { unprocessable } from '../platform/http/http-errors.ts';
import type { Phrase } from './search-words.ts';

/** A kind of attachment that `has:` may name. */
export type Attachment = 'media' | 'poll' | 'image' | 'video' | 'audio';

/** A parsed search for statuses. */
export interface StatusQuery {
  /** Phrases that must occur; a single word is a phrase too. */
  readonly all: readonly Phrase[];
  readonly none: readonly Phrase[];
  /** Handle after `from:`, without the leading `@`, or `me`. */
  readonly from: string | undefined;
  readonly notFrom: string | undefined;
  readonly has: readonly Attachment[];
  readonly isReply: boolean | undefined;
  readonly isSensitive: boolean | undefined;
  readonly language: string | undefined;
  /** Posted before this time. */
  readonly before: Date | undefined;
  /** Posted at this time or later. */
  readonly since: Date | undefined;
  /** `library`: statuses that the viewer wrote or interacted with; `public`: those that everyone can find. */
  readonly within: 'library' | 'public' | 'all';
}

type Draft = {
  -readonly [Key in keyof StatusQuery]: StatusQuery[Key] extends readonly (infer Item)[] ? Item[] : StatusQuery[Key];
};

const tokenPattern = /-?"[^"]*"?|\S+/g;
const operatorPattern = /^(-?)([a-z]+):(.*)$/is;
const handlePattern = /^@?([\w.-]+(?:@[^\s@:/]+(?::\d{1,5})?)?)$/u;
const dayMs = 86_400_000;
const maxTokens = 50;

/**
 * Parses a search for statuses: words, `"phrases"`, `-without`, and the operators from, has, is, language, before, after,
 * during, in. An unknown operator is searched as text. Throws 422 for an invalid handle in `from:` (SRC-03) or date.
 */
export function parseQuery(text: string): StatusQuery {
  const query: Draft = {
    all: [],
    none: [],
    from: undefined,
    notFrom: undefined,
    has: [],
    isReply: undefined,
    isSensitive: undefined,
    language: undefined,
    before: undefined,
    since: undefined,
    within: 'all',
  };
  for (const part of (text.match(tokenPattern) ?? []).slice(0, maxTokens)) {
    const [, minus = '', name = '', value = ''] = operatorPattern.exec(part) ?? [];
    if (parseOperator(query, { name: name.toLowerCase(), value, negated: minus !== '' })) continue;
    const negated = part.startsWith('-') && part.length > 1;
    const exact = /^-?"/.test(part);
    const text = part.replace(/^-?"?/, '').replace(/"$/, '');
    if (text !== '') (negated ? query.none : query.all).push({ text, exact });
  }
  return query;
}

/** Applies an operator to the query. Returns false for an unknown one. */
function parseOperator(
  query: Draft,
  { name, value, negated }: { name: string; value: string; negated: boolean },
): boolean {
  switch (name) {
    case 'from': {
      const acct = handlePattern.exec(value)?.[1];
      if (acct === undefined) throw unprocessable('Unprocessable Content');
      query[negated ? 'notFrom' : 'from'] = acct;
      return true;
    }
    case 'before':
      query.before = parseDay(value);
      return true;
    case 'after':
      query.since = new Date(parseDay(value).getTime() + dayMs);
      return true;
    case 'during':
      query.since = parseDay(value);
      query.before = new Date(parseDay(value).getTime() + dayMs);
      return true;
    case 'language':
      query.language = value.toLowerCase();
      return value !== '';
    case 'in':
      if (value !== 'library' && value !== 'public' && value !== 'all') return false;
      query.within = value;
      return true;
    case 'is':
      if (value === 'reply') query.isReply = !negated;
      else if (value === 'sensitive') query.isSensitive = !negated;
      else return false;
      return true;
    case 'has':
      if (negated || !isAttachment(value)) return false;
      query.has.push(value);
      return true;
    default:
      return false;
  }
}

const attachments: readonly string[] = ['media', 'poll', 'image', 'video', 'audio'] satisfies Attachment[];
const isAttachment = (value: string): value is Attachment => attachments.includes(value);

function parseDay(value: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) throw unprocessable('Invalid date supplied');
  return date;
}
