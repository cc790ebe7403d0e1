import type { en } from './en/index.ts';

/** A text that depends on `{count}`, by the plural categories of Intl.PluralRules that its language has. */
export interface Plural {
  readonly other: string;
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
}

type English = typeof en;
export type MessageDomain = keyof English;

/** The texts of one language. Every language has the same keys and, for each key, the same parameters. */
export type Catalogue = {
  readonly [Domain in MessageDomain]: {
    readonly [Name in keyof English[Domain]]: English[Domain][Name] extends string ? string : Plural;
  };
};

/** `domain.name` of a text. */
export type MessageKey = { [Domain in MessageDomain]: `${Domain}.${keyof English[Domain] & string}` }[MessageDomain];

type TextOf<Key> = Key extends `${infer Domain}.${infer Name}`
  ? Domain extends MessageDomain
    ? Name extends keyof English[Domain]
      ? English[Domain][Name]
      : never
    : never
  : never;

/** The names in braces of a text. */
type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : Text extends Plural
    ? 'count' | Holes<Text['other']>
    : never;

/** The parameters of a text; for a union of keys, those of all its texts. */
export type MessageArguments<Key extends MessageKey, Value> = [Holes<TextOf<Key>>] extends [never]
  ? readonly []
  : readonly [params: { readonly [Name in Holes<TextOf<Key>>]: Name extends 'count' ? number : Value }];
