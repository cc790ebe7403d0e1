/** What a key does. `page`: opens a path. `post`: clicks the control of the focused post with this `data-key`. */
export type Shortcut =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'post'; readonly control: string }
  | { readonly kind: 'move'; readonly step: 1 | -1 }
  | { readonly kind: 'new-posts'; readonly control: string }
  | {
      readonly kind:
        | 'mention'
        | 'quote'
        | 'translate'
        | 'read-aloud'
        | 'search'
        | 'undo'
        | 'palette'
        | 'fold'
        | 'peek'
        | 'back'
        | 'help'
        | 'profile'
        | 'top';
    };

/** Mastodon's shortcuts of one key, and those for threads. */
export const keys: Readonly<Record<string, Shortcut>> = {
  j: { kind: 'move', step: 1 },
  k: { kind: 'move', step: -1 },
  o: { kind: 'post', control: 'enter' },
  Enter: { kind: 'post', control: 'enter' },
  r: { kind: 'post', control: 'r' },
  f: { kind: 'post', control: 'f' },
  b: { kind: 'post', control: 'b' },
  d: { kind: 'post', control: 'd' },
  x: { kind: 'post', control: 'x' },
  h: { kind: 'post', control: 'h' },
  e: { kind: 'post', control: 'v' },
  p: { kind: 'post', control: 'p' },
  c: { kind: 'fold' },
  i: { kind: 'peek' },
  m: { kind: 'mention' },
  q: { kind: 'quote' },
  t: { kind: 'translate' },
  l: { kind: 'read-aloud' },
  n: { kind: 'page', path: '/publish' },
  s: { kind: 'search' },
  '/': { kind: 'palette' },
  z: { kind: 'undo' },
  '.': { kind: 'new-posts', control: '.' },
  ',': { kind: 'new-posts', control: ',' },
  Backspace: { kind: 'back' },
  '0': { kind: 'top' },
  '?': { kind: 'help' },
};

/** Mastodon's shortcuts after the key g, and c. */
export const keysAfterG: Readonly<Record<string, Shortcut>> = {
  h: { kind: 'page', path: '/' },
  n: { kind: 'page', path: '/notifications' },
  c: { kind: 'page', path: '/catch-up' },
  l: { kind: 'page', path: '/public/local' },
  t: { kind: 'page', path: '/public' },
  e: { kind: 'page', path: '/explore' },
  d: { kind: 'page', path: '/conversations' },
  f: { kind: 'page', path: '/favourites' },
  s: { kind: 'page', path: '/preferences' },
  a: { kind: 'page', path: '/bookmarks' },
  u: { kind: 'profile' },
  r: { kind: 'page', path: '/follow_requests' },
  b: { kind: 'page', path: '/blocks' },
  m: { kind: 'page', path: '/mutes' },
};

const sequenceMs = 1_500;

/** Recognizes shortcuts in the keys that are pressed, among them sequences that begin with g. */
export class KeyReader {
  #gAt: number | undefined;

  /** Returns the shortcut that a key completes. `at`: the time in milliseconds. */
  read(key: string, at: number): Shortcut | undefined {
    const isAfterG = this.#gAt !== undefined && at - this.#gAt < sequenceMs;
    this.#gAt = undefined;
    if (isAfterG) return lookUp(keysAfterG, key);
    if (key === 'g') {
      this.#gAt = at;
      return undefined;
    }
    return lookUp(keys, key);
  }
}

const lookUp = (table: Readonly<Record<string, Shortcut>>, key: string): Shortcut | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
