import type { composer } from './en/composer.ts';
import type { core } from './en/core.ts';
import type { discovery } from './en/discovery.ts';
import type { moderation } from './en/moderation.ts';
import type { people } from './en/people.ts';
import type { preferences } from './en/preferences.ts';
import type { reading } from './en/reading.ts';

/** A text that depends on `{count}`, by the plural categories of Intl.PluralRules. */
export interface Plural {
  readonly other: string;
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
}

/** The parts of the catalogue. `core` is loaded with the client, the others by the pages that need them. */
export interface English {
  readonly composer: typeof composer;
  readonly core: typeof core;
  readonly discovery: typeof discovery;
  readonly moderation: typeof moderation;
  readonly people: typeof people;
  readonly preferences: typeof preferences;
  readonly reading: typeof reading;
}
export type Part = keyof English;

type Domains = English['composer'] &
  English['core'] &
  English['discovery'] &
  English['moderation'] &
  English['people'] &
  English['preferences'] &
  English['reading'];

/** The texts of a part in one language: the same keys as in English, each with the same parameters. */
export type Texts<Name extends Part> = {
  readonly [Domain in keyof English[Name]]: {
    readonly [Key in keyof English[Name][Domain]]: English[Name][Domain][Key] extends string ? string : Plural;
  };
};

/** `domain.name` of a text. */
export type TextKey = {
  [Domain in keyof Domains]: `${Domain & string}.${keyof Domains[Domain] & string}`;
}[keyof Domains];

type TextOf<Key> = Key extends `${infer Domain}.${infer Name}`
  ? Domain extends keyof Domains
    ? Name extends keyof Domains[Domain]
      ? Domains[Domain][Name]
      : never
    : never
  : never;

type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : Text extends Plural
    ? 'count' | Holes<Text['other']>
    : never;

/** The parameters of a text; none if it has no names in braces. */
export type TextArguments<Key extends TextKey, Value> = [Holes<TextOf<Key>>] extends [never]
  ? readonly []
  : readonly [params: { readonly [Name in Holes<TextOf<Key>>]: Name extends 'count' ? number : Value }];
