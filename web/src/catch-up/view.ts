import { signal, type Signal } from '@preact/signals';
import { me } from '../session/session.ts';
import type { Kind } from './group-posts.ts';

/** How the reader looks at a catch-up. It is kept in the window, so that it is the same after a reload and a step back. */
export interface View {
  readonly kind: Kind;
  readonly sort: 'time' | 'rarity';
  /** The account whose posts are shown; undefined: everybody's. */
  readonly person?: string | undefined;
  /** The people whose posts are folded, the people whose posts are all shown, and the unfolded threads. */
  readonly folded: readonly string[];
  readonly unfolded: readonly string[];
  readonly threads: readonly string[];
  /** The row at the top of the window, and the distance of its top from that of the window in pixels. */
  readonly position?: { readonly key: string; readonly offset: number } | undefined;
}

const initial: View = { kind: 'all', sort: 'time', folded: [], unfolded: [], threads: [] };

const views = new Map<string, Signal<View>>();

const keyOf = (key: string): string => `catch-up:${me.peek().id}:${key}`;

/** Returns how the reader looks at the catch-up with this key. */
export function viewOf(key: string): Signal<View> {
  let view = views.get(key);
  if (view === undefined) {
    const stored = sessionStorage.getItem(keyOf(key));
    view = signal({ ...initial, ...(stored !== null && (JSON.parse(stored) as Partial<View>)) });
    views.set(key, view);
  }
  return view;
}

/** Changes how the reader looks at a catch-up. */
export function changeView(key: string, change: Partial<View>): void {
  const view = viewOf(key);
  view.value = { ...view.peek(), ...change };
  sessionStorage.setItem(keyOf(key), JSON.stringify(view.peek()));
}

/** Returns a list with an item added, or removed if it was there. */
export const toggled = (list: readonly string[], item: string): readonly string[] =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item];
