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
  /** What it waits for before it is sent, such as the time to undo it. Resolves to false if it is withdrawn instead. */
  readonly mayBeSent?: Promise<boolean>;
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
  }: Pick<Change<Entity>, 'send' | 'onError' | 'mayBeSent'> & { readonly name?: string },
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
  /** Those that were not sent, the latest one last. One that is withdrawn leaves the one before. */
  changes: Change<Entity>[];
  /** Resolves to false when another change becomes the latest. */
  replacement: PromiseWithResolvers<false>;
  /** Resolves to the change that the server had last; undefined if all were withdrawn or one was refused. */
  readonly finished: Promise<Change<Entity> | undefined>;
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
      const { promise, resolve } = Promise.withResolvers<Change<Entity> | undefined>();
      run = { changes: [change], replacement: Promise.withResolvers<false>(), finished: promise };
      object.runs.set(change.name, run);
      this.#show(id, object);
      resolve(this.#sendLatest(id, object, change.name));
    } else {
      addChange(run, change);
      this.#show(id, object);
    }
    return (await run.finished) === change;
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
    for (const run of this.#objects.get(id)?.runs.values() ?? []) {
      const change = latestOf(run)?.fromOtherWindow?.(changes);
      if (change !== undefined) addChange(run, change);
    }
  }

  isChanging(id: string): boolean {
    return this.#objects.has(id);
  }

  /** Sends the latest change until the server has it. Returns it. */
  async #sendLatest(id: string, object: ChangedObject<Entity>, name: string): Promise<Change<Entity> | undefined> {
    const run = object.runs.get(name);
    if (run === undefined) return undefined;
    const [first] = run.changes;
    let sent: Change<Entity> | undefined;
    let attempted: Change<Entity> | undefined;
    try {
      for (let latest = first; latest !== undefined; latest = latestOf(run)) {
        const mayBeSent =
          latest.mayBeSent === undefined || (await Promise.race([latest.mayBeSent, run.replacement.promise]));
        if (latestOf(run) !== latest) continue;
        if (!mayBeSent) {
          run.changes.pop();
          this.#show(id, object);
          this.#shareConfirmed(id, object, latest);
          continue;
        }
        if (latest === first || !isIn(object, latest)) {
          attempted = latest;
          const result = await latest.send();
          object.confirmed = result ?? (object.confirmed && { ...object.confirmed, ...latest.apply(object.confirmed) });
        }
        sent = latest;
        run.changes = run.changes.slice(run.changes.indexOf(latest) + 1);
      }
      this.#finish(id, object, name);
      return sent;
    } catch (error) {
      const latest = latestOf(run);
      this.#finish(id, object, name);
      const isRefusalWanted = latest !== undefined && isIn(object, latest);
      // The server refused what the reader undid meanwhile, unless that is withdrawn.
      if (isRefusalWanted && (await latest.mayBeSent) !== false) return latest;
      const failed = isRefusalWanted ? attempted : latest;
      if (failed === undefined) return undefined;
      this.#shareConfirmed(id, object, failed);
      failed.onError(error);
      return undefined;
    }
  }

  /** Shows in the other windows what the server has in place of a change. */
  #shareConfirmed(id: string, { confirmed }: ChangedObject<Entity>, change: Change<Entity>): void {
    if (confirmed !== undefined) this.#options.share?.(id, pick(confirmed, change.apply(confirmed)));
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

const latestOf = <Entity>({ changes }: Run<Entity>): Change<Entity> | undefined => changes.at(-1);

function addChange<Entity>(run: Run<Entity>, change: Change<Entity>): void {
  run.changes.push(change);
  run.replacement.resolve(false);
  run.replacement = Promise.withResolvers<false>();
}

const isIn = <Entity>({ confirmed }: ChangedObject<Entity>, change: Change<Entity>): boolean =>
  confirmed !== undefined && change.isIn(confirmed);

const withChanges = <Entity>(confirmed: Entity, { runs }: ChangedObject<Entity>): Entity =>
  [...runs.values()].reduce((entity, run) => ({ ...entity, ...latestOf(run)?.apply(entity) }), confirmed);

/** Returns the fields of an object that are in `changes`. */
const pick = <Entity extends object>(entity: Entity, changes: Partial<Entity>): Partial<Entity> =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => Object.hasOwn(changes, name))) as Partial<Entity>;
