import { dateOf, isObject, listOf, numberOf, textOf, type Json } from './values.ts';

/** A parsed poll. */
export interface Question {
  readonly options: readonly { readonly title: string; readonly votes: number }[];
  readonly multiple: boolean;
  /** Undefined: the poll has no end, or does not declare it. */
  readonly endsAt: Date | undefined;
  /** The poll is closed, whatever `endsAt` is. */
  readonly closed: boolean;
  /** Undefined: not declared. */
  readonly votersCount: number | undefined;
}

/** Maximum number of options (reference/federation.tsv, Question.oneOf / anyOf). */
const maxOptions = 500;

/** Parses the poll of an object; returns undefined if it has none. */
export function parseQuestion(object: Json): Question | undefined {
  const multiple = object['anyOf'] !== undefined && object['anyOf'] !== null;
  const options = listOf(multiple ? object['anyOf'] : object['oneOf'])
    .filter(isObject)
    .slice(0, maxOptions)
    .flatMap((option) => {
      const title = textOf(option, 'name', 500) ?? textOf(option, 'content', 500);
      const replies = option['replies'];
      const votes = isObject(replies) ? numberOf(replies['totalItems']) : undefined;
      return title === undefined ? [] : [{ title, votes: votes ?? 0 }];
    });
  if (options.length === 0) return undefined;
  return {
    options,
    multiple,
    endsAt: dateOf(object['closed']) ?? dateOf(object['endTime']),
    closed: object['closed'] === true,
    votersCount: numberOf(object['votersCount']),
  };
}
