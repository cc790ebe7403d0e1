import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { batchedQuery } from '../../platform/database/batched-query.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import { idOf, isSameHost, typeOf } from '../documents/values.ts';
import type { ReceivedActivity } from './received-activity.ts';

/** Deliveries are reordered when the first attempt of one fails. Later attempts than this are rare. */
const maxDelayMs = 6 * 3_600_000;

/** Types of activities that an Undo may overtake. */
const undoableTypes: ReadonlySet<string | undefined> = new Set(['Announce', 'Block', 'EmojiReact', 'Follow', 'Like']);
/** Types of requests that contain one as `instrument`. */
const requestTypes: ReadonlySet<string | undefined> = new Set(['AnnounceRequest', 'LikeRequest']);

/**
 * `early`: an Undo of the activity undid nothing. `settled`: an Undo of it had an effect, or the activity was ignored
 * because of an early one. Further copies of that Undo mean nothing, and the activity counts again, because some servers
 * (snac, Misskey) reuse its id for the next one.
 */
type UndoState = 'early' | 'settled';

/** Key among the received activities. It contains the actor, so that others cannot undo the activity. */
const undoKey = (state: UndoState, actorUri: string, id: string): string => `${actorUri} undo ${state} ${id}`;

/** Records that the actor undid one of its activities. `hadEffect`: the activity was found. */
export async function recordUndo(
  app: App,
  { activity, actor }: ReceivedActivity,
  { hadEffect }: { hadEffect: boolean },
): Promise<void> {
  const id = ownId(activity['object'], actor.uri);
  if (id === undefined) return;
  if (hadEffect) await storeKey(app, undoKey('settled', actor.uri, id));
  else if (!(await hasState(app, 'settled', actor.uri, id))) await storeKey(app, undoKey('early', actor.uri, id));
}

/** Whether the Undo of an activity arrived before it, in the last six hours. True once: a repetition counts. */
export async function takeEarlyUndo(app: App, { activity, actor }: ReceivedActivity): Promise<boolean> {
  const undoable = requestTypes.has(typeOf(activity)) ? activity['instrument'] : activity;
  if (!undoableTypes.has(typeOf(undoable))) return false;
  const id = ownId(undoable, actor.uri);
  if (id === undefined || !(await hasState(app, 'early', actor.uri, id))) return false;
  if (await hasState(app, 'settled', actor.uri, id)) return false;
  await storeKey(app, undoKey('settled', actor.uri, id));
  return true;
}

function ownId(activity: unknown, actorUri: string): string | undefined {
  const id = idOf(activity);
  return id !== undefined && isSameHost(id, actorUri) ? id : undefined;
}

async function hasState(app: App, state: UndoState, actorUri: string, id: string): Promise<boolean> {
  const since = app.clock.now().getTime() - maxDelayMs;
  const rows = await selectReceivedAt(app, { key: undoKey(state, actorUri, id) });
  return rows.some(({ receivedAt }) => receivedAt.getTime() > since);
}

const selectReceivedAt = batchedQuery<{ receivedAt: Date }>()<{ key: string }>(
  { key: 'text' },
  ({ key }) => sql`select received_at as "receivedAt" from received_activities where uri = ${key}`,
  { batchSize: 128 },
);

const storeKey = groupCommit<string, void>(async ({ db }, app, keys) => {
  await sql`
    insert into received_activities (uri, received_at)
    select distinct key, ${app.clock.now()}::timestamptz from unnest(${[...keys]}::text[]) as undo(key) order by key
    on conflict (uri) do update set received_at = excluded.received_at`.execute(db);
  return keys.map(() => undefined);
});
