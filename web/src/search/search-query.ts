/** The operators of searches for posts (docs of /api/v2/search) and the values that they know. */
export const operators = {
  from: ['me'],
  has: ['media', 'image', 'video', 'audio', 'poll', 'link', 'embed'],
  is: ['reply', 'quote', 'sensitive', 'bot'],
  language: [],
  before: [],
  after: [],
  during: [],
  in: ['library', 'public', 'all'],
} as const satisfies Record<string, readonly string[]>;
export type Operator = keyof typeof operators;

const operatorNames = Object.keys(operators) as Operator[];
const isOperator = (name: string): name is Operator => Object.hasOwn(operators, name);

/** A continuation of the word that is typed: an operator, or an operator with a value. */
export interface Completion {
  readonly operator: Operator;
  /** The whole text with the continued word. */
  readonly text: string;
  /** The continued word: `has:` or `has:image`. */
  readonly word: string;
}

const maxCompletions = 6;
const dateOperators: ReadonlySet<Operator> = new Set(['before', 'after', 'during']);

/** Returns how the last word of a text can go on as an operator of searches. `today`: `2026-11-23`, offered for dates. */
export function completeOperators(text: string, today: string): readonly Completion[] {
  const [word = ''] = /\S*$/.exec(text) ?? [];
  if (word === '') return [];
  const before = text.slice(0, text.length - word.length);
  const sign = word.startsWith('-') ? '-' : '';
  const typed = word.slice(sign.length).toLowerCase();
  const colon = typed.indexOf(':');
  if (colon === -1)
    return operatorNames
      .filter((name) => typed !== '' && name.startsWith(typed))
      .map((operator) => ({ operator, word: `${sign}${operator}:`, text: `${before}${sign}${operator}:` }));
  const name = typed.slice(0, colon);
  if (!isOperator(name)) return [];
  const value = typed.slice(colon + 1);
  const values: readonly string[] = dateOperators.has(name) ? [today] : operators[name];
  return values
    .filter((one) => one.startsWith(value) && one !== value)
    .slice(0, maxCompletions)
    .map((one) => {
      const whole = `${sign}${name}:${one}`;
      return { operator: name, word: whole, text: `${before}${whole}` };
    });
}

/** Returns whether a text is one address or handle, which is opened instead of searched. */
export function isAddress(text: string): boolean {
  const trimmed = text.trim();
  if (/^https?:\/\/[^\s/]+\S*$/i.test(trimmed)) return URL.canParse(trimmed);
  return /^@?[\w.-]+@[^\s@/:]+\.[^\s@/:]+(?::\d{1,5})?$/u.test(trimmed) || /^@?[\w.-]+@[\w.-]+:\d{1,5}$/.test(trimmed);
}

/** Whether a text can be the name of a person without its server, such as `@ada`. */
export const isBareName = (text: string): boolean => /^@?[\w.-]+$/.test(text.trim());
