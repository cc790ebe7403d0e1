import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { namesOf } from '../../platform/known-names.ts';
import type { TrendKind } from '../../trends/index.ts';

/** Trends of a kind that are used of one answer, and addresses of posts that have a hashtag or link. */
export const maxTrends = 20;
const maxExamples = 2;

const name = Type.String({ minLength: 1, maxLength: 2_048 });
const item = Type.Object({ rank: Type.Integer({ minimum: 1, maximum: 100 }), examples: Type.Optional(Type.Unknown()) });

interface TrendList {
  /** The last part of the address, and the member of the response. */
  readonly path: 'content' | 'hashtags' | 'links';
  readonly key: 'uri' | 'name' | 'url';
}

const lists: Readonly<Record<TrendKind, TrendList>> = {
  status: { path: 'content', key: 'uri' },
  tag: { path: 'hashtags', key: 'name' },
  link: { path: 'links', key: 'url' },
};
export const trendKinds = namesOf(lists);

/** What a provider names: the address of a post or page, or a hashtag. */
export interface NamedTrend {
  readonly name: string;
  readonly rank: number;
  /** Addresses of posts that have it. */
  readonly examples: readonly string[];
}

/** Returns the address of the trends of a kind, with those of the last day. */
export const trendsPath = (kind: TrendKind): string =>
  `/trends/v0/${lists[kind].path}?withinLastHours=24&maxCount=${maxTrends}`;

/** Parses the trends of a kind (trends.md of the specification). Items of another form are left out. */
export function parseTrends(kind: TrendKind, json: unknown): NamedTrend[] | undefined {
  const { path, key } = lists[kind];
  const response = Type.Object({ [path]: Type.Array(Type.Unknown()) });
  const named = Type.Object({ [key]: name });
  if (!Value.Check(response, json)) return undefined;
  const found = (json[path] ?? []).flatMap((one) =>
    Value.Check(item, one) && Value.Check(named, one)
      ? [{ name: one[key] ?? '', rank: one.rank, examples: parseAddresses(one.examples) }]
      : [],
  );
  const valid = kind === 'tag' ? found : found.filter((one) => isAddress(one.name));
  return [...new Map(valid.map((one) => [one.name, one])).values()].slice(0, maxTrends);
}

const isAddress = (value: unknown): value is string =>
  Value.Check(name, value) && /^https?:\/\//i.test(value) && URL.canParse(value);

const parseAddresses = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isAddress).slice(0, maxExamples) : [];
