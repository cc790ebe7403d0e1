import type { Relationship, Status } from '../api/entities.ts';
import { me } from '../session/session.ts';
import type { StoredSettings } from '../session/settings.ts';

/** What the reader changed in one window, as the others show it too. */
type SharedChange =
  | { readonly kind: 'status'; readonly id: string; readonly changes: Partial<Status> }
  | { readonly kind: 'relationship'; readonly relationship: Relationship }
  | { readonly kind: 'settings'; readonly stored: StoredSettings };

interface Message {
  /** Windows may be signed in to different accounts. */
  readonly accountId: string;
  readonly change: SharedChange;
}

/** How a window shows what was changed in another one. */
interface ChangeReceivers {
  readonly status: (id: string, changes: Partial<Status>) => void;
  readonly relationship: (relationship: Relationship) => void;
  readonly settings: (stored: StoredSettings) => void;
}

let channel: BroadcastChannel | undefined;

/** Shares changes with the other windows of this browser that are signed in to the same account, from now on. */
export function followOtherWindows(receivers: ChangeReceivers): void {
  channel = new BroadcastChannel('fieldfare-changes');
  channel.addEventListener('message', ({ data: { accountId, change } }: MessageEvent<Message>) => {
    if (accountId !== me.peek().id) return;
    if (change.kind === 'status') receivers.status(change.id, change.changes);
    else if (change.kind === 'relationship') receivers.relationship(change.relationship);
    else receivers.settings(change.stored);
  });
}

/** Sends a change to the other windows. No-op before `followOtherWindows`. */
export function shareChange(change: SharedChange): void {
  if (channel === undefined) return;
  const message: Message = { accountId: me.peek().id, change };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
  channel.postMessage(message);
}
