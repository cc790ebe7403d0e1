import type { Static } from 'typebox';
import { perApp, type App } from '../../platform/app.ts';
import type { AccountId, StatusId, TagId } from '../../platform/ids.ts';
import type { statusFannedOut, statusRemoved } from '../events.ts';
import { pendingStatuses } from './pending-statuses.ts';

/**
 * A change of many stored home feeds. `inserted`: a status was added to those of people who follow its author or one of
 * its hashtags; `anyone` if this process does not know the status. `deleted`: it was removed from all that had it.
 */
export type HomeChange =
  | {
      readonly kind: 'inserted';
      readonly by: { readonly authorId: AccountId; readonly tagIds: readonly TagId[] } | 'anyone';
    }
  | { readonly kind: 'deleted'; readonly statusId: StatusId };

/** A reader that has not looked at so many changes loads the feed again, which costs less than to look at more. */
const maxChanges = 1_000;

/** The latest changes of many home feeds at once, in the order in which this process learned of them. */
export class HomeChanges {
  readonly #changes: HomeChange[] = [];
  #forgotten = 0;

  /** How many changes there have been. */
  get count(): number {
    return this.#forgotten + this.#changes.length;
  }

  add(change: HomeChange): void {
    this.#changes.push(change);
    // Half at once, because removing from the front of an array moves the rest.
    if (this.#changes.length > maxChanges) this.#forgotten += this.#changes.splice(0, maxChanges / 2).length;
  }

  /** Returns the changes after the first `count`; undefined if some of them are forgotten. */
  after(count: number): readonly HomeChange[] | undefined {
    return count < this.#forgotten ? undefined : this.#changes.slice(count - this.#forgotten);
  }
}

export const homeChanges = perApp(() => new HomeChanges());

/** Records that a status is in more home feeds, and is not, or less, pending. */
export function recordFanOut(app: App, finished: Static<typeof statusFannedOut.schema>): void {
  const pending = pendingStatuses(app);
  const status = pending.find(finished.statusId);
  const by = status === undefined ? 'anyone' : { authorId: status.authorId, tagIds: status.tagIds };
  homeChanges(app).add({ kind: 'inserted', by });
  pending.finish(finished);
}

export function recordRemoval(app: App, { statusId }: Static<typeof statusRemoved.schema>): void {
  homeChanges(app).add({ kind: 'deleted', statusId });
}
