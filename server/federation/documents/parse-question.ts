import { dateOf, isObject, listOf, numberOf, textOf, type Json } from './values.ts';

/** What a poll asks, as its own document tells it. */
export interface Question {
  readonly options: readonly { readonly title: string; readonly votes: number }[];
  readonly multiple: boolean;
  /** Undefined: it has no end, or does not say when it ended. */
  readonly endsAt: Date | undefined;
  /** It is over, whatever `endsAt` says. */
  readonly closed: boolean;
  /** Undefined: it is not told. */
  readonly votersCount: number | undefined;
}

/** Options of one poll (reference/federation.tsv, Question.oneOf / anyOf). */
const maxOptions = 500;

/** The poll that an object is; undefined when it asks nothing. */
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
