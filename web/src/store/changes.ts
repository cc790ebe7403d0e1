/** Something that the reader sets in an object, such as a flag of a post or how an account is followed. */
export interface Change<Entity> {
  /** Of the changes of an object with the same name, one is sent at a time. */
  readonly name: string;
  /** Returns what it changes in the object. */
  readonly apply: (entity: Entity) => Partial<Entity>;
  /** Returns whether the object has it already, so that it is not sent after another one. */
  readonly isIn: (entity: Entity) => boolean;
  /** Sends it. Resolves to the object as the server has it then; to undefined if the server does not return it. */
  readonly send: () => Promise<Entity | undefined>;
  /** Called after the object shows again what the server has. */
  readonly onError: (error: unknown) => void;
  /** Returns the same kind of change if the reader made it in another window. */
  readonly fromOtherWindow?: (changes: Partial<Entity>) => Change<Entity> | undefined;
}

/** Returns a change that sets fields of an object. */
export const setFields = <Entity extends object>(
  fields: Partial<Entity>,
  {
    name = Object.keys(fields).join(' '),
    ...rest
  }: Pick<Change<Entity>, 'send' | 'onError'> & { readonly name?: string },
): Change<Entity> => ({
  name,
  apply: () => fields,
  isIn: (entity) =>
    Object.entries({ ...entity, ...fields }).every(
      ([field, value]) => JSON.stringify(value) === JSON.stringify(entity[field as keyof Entity]),
    ),
  ...rest,
});

interface ChangesOptions<Entity> {
  readonly peek: (id: string) => Entity | undefined;
  readonly show: (id: string, entity: Entity) => void;
  /** Shows what changed in the other windows. */
  readonly share?: (id: string, changes: Partial<Entity>) => void;
}

/** The changes of a name that are being sent. */
interface Run<Entity> {
  latest: Change<Entity>;
  readonly finished: Promise<boolean>;
}

interface ChangedObject<Entity> {
  /** As the server has it; undefined if it is not loaded. */
  confirmed: Entity | undefined;
  readonly runs: Map<string, Run<Entity>>;
}

/**
 * The changes that the reader makes to the objects of one kind. A change shows at once. While it is sent, the latest one of
 * its name is remembered, and sent afterwards unless the server has it: an object ends as it was changed last, however often
 * and quickly that was. If the server refuses, the object shows what the server has.
 */
export class Changes<Entity extends object> {
  readonly #options: ChangesOptions<Entity>;
  readonly #objects = new Map<string, ChangedObject<Entity>>();

  constructor(options: ChangesOptions<Entity>) {
    this.#options = options;
  }

  /** Makes a change. Resolves when the server has the last one of its name, to whether that is this one. */
  async make(id: string, change: Change<Entity>): Promise<boolean> {
    const object = this.#objects.get(id) ?? { confirmed: this.#options.peek(id), runs: new Map<string, Run<Entity>>() };
    this.#objects.set(id, object);
    const shown = this.#options.peek(id);
    if (shown !== undefined) this.#options.share?.(id, change.apply(shown));
    let run = object.runs.get(change.name);
    if (run === undefined) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      run = { latest: change, finished: promise };
      object.runs.set(change.name, run);
      this.#show(id, object);
      resolve(this.#sendLatest(id, object, run));
    } else {
      run.latest = change;
      this.#show(id, object);
    }
    return (await run.finished) && run.latest === change;
  }

  /** Returns an object that the server sent as it shows: with the changes that are being sent. */
  receive(id: string, entity: Entity): Entity {
    const object = this.#objects.get(id);
    if (object === undefined) return entity;
    object.confirmed = entity;
    return withChanges(entity, object);
  }

  /** Returns an object with what was changed outside of this class, as it shows. */
  merge(id: string, entity: Entity, changes: Partial<Entity>): Entity {
    return this.receive(id, { ...(this.#objects.get(id)?.confirmed ?? entity), ...changes });
  }

  /** Lets changes that the reader made in another window follow those of this one that are being sent. */
  follow(id: string, changes: Partial<Entity>): void {
    for (const run of this.#objects.get(id)?.runs.values() ?? [])
      run.latest = run.latest.fromOtherWindow?.(changes) ?? run.latest;
  }

  isChanging(id: string): boolean {
    return this.#objects.has(id);
  }

  /** Sends the latest change until the server has it. Returns whether it has. */
  async #sendLatest(id: string, object: ChangedObject<Entity>, run: Run<Entity>): Promise<boolean> {
    const { name } = run.latest;
    try {
      let sent: Change<Entity>;
      do {
        sent = run.latest;
        const result = await sent.send();
        object.confirmed = result ?? (object.confirmed && { ...object.confirmed, ...sent.apply(object.confirmed) });
      } while (run.latest !== sent && !isIn(object, run.latest));
      this.#finish(id, object, name);
      return true;
    } catch (error) {
      const { latest } = run;
      this.#finish(id, object, name);
      // The server refused what the reader undid meanwhile.
      if (isIn(object, latest)) return true;
      const { confirmed } = object;
      if (confirmed !== undefined) this.#options.share?.(id, pick(confirmed, latest.apply(confirmed)));
      latest.onError(error);
      return false;
    }
  }

  #finish(id: string, object: ChangedObject<Entity>, name: string): void {
    object.runs.delete(name);
    if (object.runs.size === 0) this.#objects.delete(id);
    this.#show(id, object);
  }

  #show(id: string, object: ChangedObject<Entity>): void {
    if (object.confirmed !== undefined) this.#options.show(id, withChanges(object.confirmed, object));
  }
}

const isIn = <Entity>({ confirmed }: ChangedObject<Entity>, change: Change<Entity>): boolean =>
  confirmed !== undefined && change.isIn(confirmed);

const withChanges = <Entity>(confirmed: Entity, { runs }: ChangedObject<Entity>): Entity =>
  [...runs.values()].reduce((entity, { latest }) => ({ ...entity, ...latest.apply(entity) }), confirmed);

/** Returns the fields of an object that are in `changes`. */
const pick = <Entity extends object>(entity: Entity, changes: Partial<Entity>): Partial<Entity> =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => Object.hasOwn(changes, name))) as Partial<Entity>;
