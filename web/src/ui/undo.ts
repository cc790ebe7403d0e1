import { signal } from '@preact/signals';

/** Something that can be undone. */
interface Offer {
  /** What the reader did, in words: "Post deleted". */
  readonly text: string;
  readonly end: End;
  /** The words of the button that makes it final: "Send now". Without, the button has an icon. */
  readonly finish?: string | undefined;
}

/** Called once: it does the opposite, or what was not done yet. */
type End = (isUndone: boolean) => unknown;

/** Calls a function after the time to undo something. Returns the function that stops it. */
type StartTimer = (run: () => void) => () => void;

/**
 * What the reader did last, while it can be undone. An offer ends once: undone, or final because its time is over, because
 * the next one takes its place, or because the page is left.
 */
export class UndoOffers {
  /** The offer that a message shows. */
  readonly shown = signal<Offer | undefined>(undefined);
  readonly #startTimer: StartTimer;
  readonly #ending = new Set<unknown>();
  #quiet: End | undefined;
  #stopTimer: () => void = () => undefined;

  constructor(startTimer: StartTimer) {
    this.#startTimer = startTimer;
  }

  /** Offers to undo something. */
  add(text: string, end: End, finish?: string): void {
    this.#end(false);
    this.#quiet = undefined;
    this.shown.value = { text, end, finish };
    this.resume();
  }

  /** Offers to undo something that `act` sends if the promise that it receives resolves to true. Returns its result. */
  sendLater<Result>(
    text: string,
    act: (mayBeSent: Promise<boolean>) => Promise<Result>,
    finish?: string,
  ): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let result: Promise<Result> | undefined;
    // First, so that what was offered before is sent before.
    const end: End = (isUndone) => {
      resolve(!isUndone);
      return result;
    };
    this.add(text, end, finish);
    result = act(promise);
    return result;
  }

  /** Lets the key undo what needs no message, because the pressed button shows and undoes it. It takes the place of no other. */
  addQuietly(undo: () => unknown): void {
    this.#quiet = undo;
  }

  /** Undoes what was offered last. Returns false if there is nothing. */
  undo(): boolean {
    if (this.#end(true)) return true;
    const quiet = this.#quiet;
    this.#quiet = undefined;
    quiet?.(true);
    return quiet !== undefined;
  }

  /** Ends the offer that is shown: it is final. Resolves when everything that follows from it is done. */
  async settle(): Promise<void> {
    this.#end(false);
    await Promise.allSettled(this.#ending);
  }

  /** Stops the time while the reader looks at the offer. */
  pause(): void {
    this.#stopTimer();
  }

  /** Gives the shown offer its whole time again. */
  resume(): void {
    this.#stopTimer();
    if (this.shown.peek() !== undefined) this.#stopTimer = this.#startTimer(() => void this.settle());
  }

  #end(isUndone: boolean): boolean {
    const offer = this.shown.peek();
    if (offer === undefined) return false;
    this.#stopTimer();
    this.shown.value = undefined;
    const ending = Promise.resolve(offer.end(isUndone)).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return true;
  }
}

/** How long something can be undone. */
const offeredMs = 8_000;

/** The offers of this window. */
export const undoOffers = new UndoOffers((run) => {
  const timer = setTimeout(run, offeredMs);
  return () => clearTimeout(timer);
});

/** Lets what can be undone become final when the reader leaves the page, who may never return. */
export function startUndo(): void {
  addEventListener('pagehide', () => void undoOffers.settle());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void undoOffers.settle();
  });
}

/** Offers to undo something that is done: `undo` does the opposite. */
export const offerUndo = (text: string, undo: () => unknown): void =>
  undoOffers.add(text, (isUndone) => (isUndone ? undo() : undefined));

/**
 * Does something that shows at once, and is sent when it can no longer be undone: `mayBeSent` resolves to false if the
 * reader undoes it. Such requests need `keepalive`, because the page may be left. `finish`: see Offer.
 */
export const sendLater = <Result>(
  text: string,
  act: (mayBeSent: Promise<boolean>) => Promise<Result>,
  finish?: string,
): Promise<Result> => undoOffers.sendLater(text, act, finish);
