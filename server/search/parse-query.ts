import { unprocessable } from '../platform/http/http-errors.ts';
import { isTagName, normalizeTag } from '../text/index.ts';
import { findLanguage, regionalForms } from '../text/languages/index.ts';
import { isDay } from '../text/times/index.ts';

/** Consecutive words in a query. */
export interface Phrase {
  readonly text: string;
  /** Typed in quotation marks: other forms of the words do not match. */
  readonly exact: boolean;
}

const attachments = ['media', 'poll', 'embed', 'image', 'video', 'audio', 'link'] as const;
/** What `has:` may name. */
export type Attachment = (typeof attachments)[number];

const properties = ['reply', 'sensitive', 'bot', 'quote'] as const;
/** What `is:` may name. */
export type Property = (typeof properties)[number];

const scopes = ['library', 'public', 'all'] as const;
/** `library`: statuses that the viewer wrote or interacted with; `public`: those that everyone can find. */
export type Scope = (typeof scopes)[number];

/** Values of an operator, and those that it excludes (`-has:media`). */
export interface Choice<Value> {
  readonly wanted: readonly Value[];
  readonly unwanted: readonly Value[];
}

/** A day of the calendar, `2026-11-21`. When it begins depends on the time zone of the viewer. */
export type Day = string;

/** A parsed search for statuses. */
export interface StatusQuery {
  /** Phrases that must occur; a single word is a phrase too. */
  readonly all: readonly Phrase[];
  readonly none: readonly Phrase[];
  /** Normalised hashtags. A post must have all of them. */
  readonly tags: Choice<string>;
  /** Handles without the leading `@`, or `me`. One of them must be the author. */
  readonly from: Choice<string>;
  /** A post must have all of them. */
  readonly has: Choice<Attachment>;
  /** A post must have all of them. */
  readonly is: Choice<Property>;
  /** Language codes in lower case. A post must have one of them. */
  readonly language: Choice<string>;
  /** Posted before this day began. */
  readonly before: Day | undefined;
  /** Posted on this day or later. */
  readonly since: Day | undefined;
  readonly within: Scope;
}

class Draft implements StatusQuery {
  readonly all: Phrase[] = [];
  readonly none: Phrase[] = [];
  readonly tags = choice<string>();
  readonly from = choice<string>();
  readonly has = choice<Attachment>();
  readonly is = choice<Property>();
  readonly language = choice<string>();
  before: Day | undefined;
  since: Day | undefined;
  within: Scope = 'all';
}

const choice = <Value>(): { wanted: Value[]; unwanted: Value[] } => ({ wanted: [], unwanted: [] });

const tokenPattern = /[-+]?(?:"[^"]*"?|“[^”]*”?)|\S+/gu;
const operatorPattern = /^([-+]?)([a-z]+):(.*)$/isu;
const handlePattern = /^@?([\w.-]+(?:@[^\s@:/]+(?::\d{1,5})?)?)$/u;
const quotationMarks = /^["“]|["”]$/gu;
/** Further words and operators are ignored. */
const maxTokens = 50;

/**
 * Parses a search for statuses: words, `"phrases"`, `#hashtags`, `-without`, and the operators from, has, is, language,
 * before, after, during, in, which a minus negates. An unknown operator is searched as text. Throws 422 for an invalid
 * handle in `from:` (SRC-03) or date.
 */
export function parseQuery(text: string): StatusQuery {
  const query = new Draft();
  for (const token of (text.match(tokenPattern) ?? []).slice(0, maxTokens)) {
    const [, sign = '', name = '', value = ''] = operatorPattern.exec(token) ?? [];
    if (name !== '' && parseOperator(query, { name: name.toLowerCase(), value, negated: sign === '-' })) continue;
    addPhrase(query, token);
  }
  return query;
}

function addPhrase(query: Draft, token: string): void {
  const words = /^[-+]./u.test(token) ? token.slice(1) : token;
  const tag = /^[#＃]/u.test(words) ? normalizeTag(words) : '';
  if (isTagName(tag)) {
    query.tags[token.startsWith('-') ? 'unwanted' : 'wanted'].push(tag);
    return;
  }
  const phrase = { text: words.replaceAll(quotationMarks, ''), exact: /^["“]/u.test(words) };
  if (phrase.text !== '') (token.startsWith('-') && token !== '-' ? query.none : query.all).push(phrase);
}

interface Operator {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

/** Applies an operator to the query. Returns false for an unknown one. */
function parseOperator(query: Draft, { name, value, negated }: Operator): boolean {
  const key = negated ? 'unwanted' : 'wanted';
  switch (name) {
    case 'from':
      query.from[key].push(parseAuthor(value));
      return true;
    case 'language':
      if (value === '') return false;
      query.language[key].push(...languagesOf(value));
      return true;
    case 'has':
      return addOneOf(attachments, value, query.has[key]);
    case 'is':
      return addOneOf(properties, value, query.is[key]);
    case 'before':
      query.before = earliest(query.before, parseDay(value));
      return true;
    case 'after':
      query.since = latest(query.since, nextDay(parseDay(value)));
      return true;
    case 'during':
      query.since = latest(query.since, parseDay(value));
      query.before = earliest(query.before, nextDay(value));
      return true;
    case 'in': {
      const scope = scopes.find((known) => known === value.toLowerCase());
      if (scope === undefined || negated) return false;
      query.within = scope;
      return true;
    }
    default:
      return false;
  }
}

/** Adds a known value to `list`. Returns false for an unknown one. */
function addOneOf<Value extends string>(known: readonly Value[], text: string, list: Value[]): boolean {
  const found = known.find((value) => value === text.toLowerCase());
  if (found !== undefined) list.push(found);
  return found !== undefined;
}

/** Returns the listed language that is nearest to a tag, with its regional forms, in lower case. */
function languagesOf(tag: string): string[] {
  const language = findLanguage(tag);
  return (language === undefined ? [tag] : regionalForms(language)).map((code) => code.toLowerCase());
}

function parseAuthor(value: string): string {
  const acct = handlePattern.exec(value)?.[1];
  if (acct === undefined) throw unprocessable('http.unprocessable');
  return acct;
}

function parseDay(value: string): Day {
  if (!isDay(value)) throw unprocessable('http.invalidDate');
  return value;
}

function nextDay(day: Day): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  // After 9999-12-31 a year has six digits and a sign, which PostgreSQL does not parse.
  return date.getUTCFullYear() > 9999 ? day : date.toISOString().slice(0, day.length);
}

const earliest = (a: Day | undefined, b: Day): Day => (a === undefined || b < a ? b : a);
const latest = (a: Day | undefined, b: Day): Day => (a === undefined || b > a ? b : a);
