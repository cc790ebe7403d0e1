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

/** Names of the events that hide nothing from anyone. */
const additions = new Set<string>();

/** Whether something may be hidden from someone, or deleted, by what an event announces. */
export const mayHide = (event: string): boolean => !additions.has(event);

/**
 * Declares a kind of event, named `domain.past_participle`. Returns a function that creates one. `onlyAdds`: it hides and
 * deletes nothing, so a replica may answer before it has it (docs/decisions/0176). For frequent events.
 */
export function defineEvent<Name extends string, Schema extends TObject>(
  event: Name,
  schema: Schema,
  { onlyAdds = false }: { readonly onlyAdds?: boolean } = {},
): EventType<Name, Schema> {
  if (onlyAdds) additions.add(event);
  return Object.assign((data: Static<Schema>) => ({ name: event, data }), { event, schema });
}
