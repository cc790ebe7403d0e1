/** A text without parameters, or words and names of parameters by turns: `['Sign out of @', 'name', '']`. */
export type Text = string | readonly string[];

/** A text that depends on `count`, by the plural categories of Intl.PluralRules. `other` stands for those without a text. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, Text>>> & { readonly other: Text };

/** Returns the text, or its plural form for `count`. */
export function chooseForm(text: Text | Plural, rules: Intl.PluralRules, count: number): Text {
  return typeof text === 'object' && 'other' in text ? (text[rules.select(count)] ?? text.other) : text;
}

/** Returns the parts of a text in their order: its words, and what stands for its parameters. */
export const mapText = <Part>(
  text: Text,
  ofWords: (words: string) => Part,
  ofParameter: (name: string) => Part,
): Part[] =>
  (typeof text === 'string' ? [text] : text).map((part, index) =>
    index % 2 === 0 ? ofWords(part) : ofParameter(part),
  );

/** Returns a text with its parameters. */
export const fillText = (text: Text, valueOf: (name: string) => string): string =>
  typeof text === 'string' ? text : mapText(text, (words) => words, valueOf).join('');

/** The arguments of a function for the parameters of a text, whose names are `Names`. */
export type TextArguments<Names, Value> = [Names] extends [never]
  ? readonly []
  : readonly [params: { readonly [Name in Names & string]: Name extends 'count' ? number : Value }];
