import { sessionProblem } from '../api/client.ts';
import type { Relationship, Status } from '../api/entities.ts';
import { me } from '../session/session.ts';
import type { StoredSettings } from '../session/settings.ts';

/** What happens in one window, by its name, as the others show it too. */
interface SharedChanges {
  readonly status: { readonly id: string; readonly changes: Partial<Status> };
  readonly relationship: Relationship;
  readonly settings: StoredSettings;
  /** The language of the texts. */
  readonly locale: string;
  /** The id up to which home was read. `isAll`: the reader caught up. */
  readonly homeRead: { readonly id: string; readonly isAll: boolean };
  /** The id up to which notifications were read. */
  readonly notificationsRead: string;
  /** The id of an announcement, and whether it is dismissed. */
  readonly announcement: { readonly id: string; readonly read: boolean };
  /** How the drafts on the server changed. */
  readonly drafts: 'stored' | 'deleted';
  /** The client started with the account of the session, or the account signed out. */
  readonly session: 'started' | 'ended';
}

type Kind = keyof SharedChanges;

interface Message {
  /** Windows may be signed in to different accounts. */
  readonly accountId: string;
  readonly kind: Kind;
  readonly change: never;
}

const receivers = new Map<Kind, Set<(change: never) => void>>();
let channel: BroadcastChannel | undefined;

/** Calls a function for what other windows with the same account change, until the returned function is called. */
export function onSharedChange<Name extends Kind>(
  kind: Name,
  receive: (change: SharedChanges[Name]) => void,
): () => void {
  const ofKind = receivers.get(kind) ?? new Set();
  receivers.set(kind, ofKind.add(receive));
  return () => void ofKind.delete(receive);
}

/** Shares changes with the other windows of this browser, from now on. */
export function followOtherWindows(): void {
  channel = new BroadcastChannel('fieldfare-changes');
  channel.addEventListener('message', ({ data: { accountId, kind, change } }: MessageEvent<Message>) => {
    if (accountId === me.peek().id) for (const receive of receivers.get(kind) ?? []) receive(change);
    // All windows have one session.
    else if (kind === 'session' && change === 'started') sessionProblem.value = 'account-changed';
  });
  onSharedChange('session', (state) => (sessionProblem.value = state === 'started' ? undefined : 'expired'));
  shareChange('session', 'started');
}

/** Sends a change to the other windows. No-op before `followOtherWindows`. */
export function shareChange<Name extends Kind>(kind: Name, change: SharedChanges[Name]): void {
  if (channel === undefined) return;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
  channel.postMessage({ accountId: me.peek().id, kind, change });
}
