import type { Static, TObject } from 'typebox';
import type { FetchBudgetId } from '../ids.ts';

/** Something that happened, with the ids that reactions need to load the rest. */
export interface DomainEvent<Name extends string = string, Data = unknown> {
  readonly name: Name;
  readonly data: Data;
  /** Fetch budget of its jobs. By default that of the App that runs the transaction. */
  readonly fetchBudgetId?: FetchBudgetId | undefined;
}

/** Name and schema of a kind of event. */
export interface EventKind<Schema extends TObject = TObject> {
  readonly event: string;
  readonly schema: Schema;
}

export interface EventType<Name extends string, Schema extends TObject> extends EventKind<Schema> {
  (data: Static<Schema>): DomainEvent<Name, Static<Schema>>;
  readonly event: Name;
}

/** Declares a kind of event, named `domain.past_participle`. Returns a function that creates one. */
export function defineEvent<Name extends string, Schema extends TObject>(
  event: Name,
  schema: Schema,
): EventType<Name, Schema> {
  return Object.assign((data: Static<Schema>) => ({ name: event, data }), { event, schema });
}
