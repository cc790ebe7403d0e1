import { signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { Announcement } from '../api/entities.ts';
import { subscribe } from '../api/stream.ts';
import { Changes, setFields } from '../store/changes.ts';
import { onSharedChange, shareChange } from '../store/other-windows.ts';
import { showError } from '../ui/toasts.tsx';

type Reaction = Announcement['reactions'][number];

/** The published announcements, newest first; undefined until they are loaded. */
export const announcements = signal<readonly Announcement[] | undefined>(undefined);

/** Loads the announcements, also those that the reader dismissed. Throws ApiError or OfflineError. */
export async function loadAnnouncements(): Promise<void> {
  const query = { with_dismissed: true };
  announcements.value = await request<readonly Announcement[]>('GET', '/api/v1/announcements', { query });
}

/** Keeps the announcements up to date until the returned function is called. */
export function followAnnouncements(): () => void {
  const reload = (): void => void loadAnnouncements().catch(() => undefined);
  return subscribe(
    { stream: 'user' },
    {
      onEvent: ({ event, payload = '' }) => {
        if (event === 'announcement') reload();
        if (event === 'announcement.delete') change((list) => list.filter(({ id }) => id !== payload));
        if (event === 'announcement.reaction') {
          const { announcement_id: id, ...reaction } = JSON.parse(payload) as Reaction & { announcement_id: string };
          changeReactions(id, (reactions) => withReaction(reactions, reaction));
        }
      },
      onOpen: reload,
    },
  );
}

/** Hides an announcement from home. It stays on the page of announcements. */
export async function dismissAnnouncement(id: string): Promise<void> {
  const setRead = (read: boolean): void => {
    showRead({ id, read });
    shareChange('announcement', { id, read });
  };
  setRead(true);
  try {
    await request('POST', `/api/v1/announcements/${id}/dismiss`);
  } catch (error) {
    setRead(false);
    showError(error, () => void dismissAnnouncement(id));
  }
}

const showRead = ({ id, read }: Pick<Announcement, 'id'> & { readonly read: boolean }): void =>
  change((list) => list.map((one) => (one.id === id ? { ...one, read } : one)));

onSharedChange('announcement', showRead);

/** The reader's reactions, by `ID NAME`. The counts come from the stream, because the responses are empty. */
const ownReactions = new Changes<{ readonly isSet: boolean }>({
  peek: (key) => ({ isSet: isMine(key) }),
  show: (key, { isSet }) => {
    const [id, name] = parseKey(key);
    if (isMine(key) !== isSet) changeReactions(id, (reactions) => toggledReactions(reactions, name, isSet));
  },
});

const parseKey = (key: string): readonly [id: string, name: string] => {
  const [id = '', name = ''] = key.split(' ', 2);
  return [id, name];
};

function isMine(key: string): boolean {
  const [id, name] = parseKey(key);
  const reactions = announcements.peek()?.find((one) => one.id === id)?.reactions ?? [];
  return reactions.some((one) => one.name === name && one.me === true);
}

/** Adds the reader's reaction, or removes it if it is there. */
export async function toggleReaction(id: string, name: string): Promise<void> {
  const key = `${id} ${name}`;
  await setReaction(key, !isMine(key));
}

async function setReaction(key: string, isSet: boolean): Promise<void> {
  const [id, name] = parseKey(key);
  await ownReactions.make(
    key,
    setFields(
      { isSet },
      {
        send: async () => {
          await request(isSet ? 'PUT' : 'DELETE', `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`);
          return { isSet };
        },
        onError: (error) => showError(error, () => void setReaction(key, isSet)),
      },
    ),
  );
}

/** Returns the reactions after the reader adds or removes one. */
export function toggledReactions(reactions: readonly Reaction[], name: string, isAdded: boolean): readonly Reaction[] {
  const known = reactions.find((one) => one.name === name);
  if (known === undefined) return isAdded ? [...reactions, { name, count: 1, me: true }] : reactions;
  const count = known.count + (isAdded ? 1 : -1);
  return reactions.map((one) => (one === known ? { ...one, count, me: isAdded } : one)).filter((one) => one.count > 0);
}

/** Returns the reactions with a new count of one, from the stream, which does not say who reacted. */
export function withReaction(reactions: readonly Reaction[], changed: Reaction): readonly Reaction[] {
  const known = reactions.find(({ name }) => name === changed.name);
  if (changed.count === 0) return reactions.filter((one) => one !== known);
  if (known === undefined) return [...reactions, { ...changed, me: false }];
  return reactions.map((one) => (one === known ? { ...one, ...changed } : one));
}

function change(update: (list: readonly Announcement[]) => readonly Announcement[]): void {
  if (announcements.value !== undefined) announcements.value = update(announcements.value);
}

function changeReactions(id: string, update: (reactions: readonly Reaction[]) => readonly Reaction[]): void {
  change((list) => list.map((one) => (one.id === id ? { ...one, reactions: update(one.reactions) } : one)));
}
