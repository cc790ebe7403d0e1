import type { en } from './en/index.ts';

/** A text that depends on `{count}`, by the plural categories that English and German share. */
export interface Plural {
  readonly one: string;
  readonly other: string;
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
    ? 'count' | Holes<Text['one']> | Holes<Text['other']>
    : never;

/** The parameters of a text; for a union of keys, those of all its texts. */
export type MessageArguments<Key extends MessageKey, Value> = [Holes<TextOf<Key>>] extends [never]
  ? readonly []
  : readonly [params: { readonly [Name in Holes<TextOf<Key>>]: Name extends 'count' ? number : Value }];
