import { sql } from 'kysely';
import { perApp, type App } from '../platform/app.ts';
import { Cache } from '../platform/cache.ts';
import type { Write } from '../platform/database/write.ts';
import { prepared } from '../platform/database/prepared.ts';
import { Gatherer } from '../platform/gather.ts';
import type { AccountId, ConversationId, StatusId } from '../platform/ids.ts';
import { votesOf } from '../polls/index.ts';
import type { StatusBody } from './status-bodies.ts';

/** What one viewer has done with one status. */
export interface Overlay {
  readonly favourited: boolean;
  readonly reblogged: boolean;
  readonly bookmarked: boolean;
  /** It muted the conversation. */
  readonly muted: boolean;
  readonly pinned: boolean;
  /** What it chose in the poll; known where there is one. */
  readonly ballot?: Ballot;
}

/** Places of options, from 0. They hold while the poll is in this round: an edit may throw all votes away. */
interface Ballot {
  readonly round: number;
  readonly choices: readonly number[];
}

type OverlayRow = Omit<Overlay, 'ballot'> & { readonly id: StatusId; readonly viewer_id: AccountId };

/** What is asked about: a viewer, a status and its conversation. */
interface Subjects {
  readonly viewers: AccountId[];
  readonly ids: StatusId[];
  readonly conversations: (ConversationId | null)[];
}

// Each table is looked into by index once a status: a join of whole tables would read all that the viewer ever did.
const overlayRows = prepared<OverlayRow>()((db, { viewers, ids, conversations }: Subjects) => ({
  compile: () =>
    sql<OverlayRow>`
        select subject.viewer_id, subject.id,
          f.yes is not null as favourited,
          r.yes is not null as reblogged,
          b.yes is not null as bookmarked,
          m.yes is not null as muted,
          p.yes is not null as pinned
        from unnest(${viewers}::bigint[], ${ids}::bigint[], ${conversations}::bigint[])
            as subject(viewer_id, id, conversation_id)
          left join lateral (select 1 as yes from favourites
            where account_id = subject.viewer_id and status_id = subject.id limit 1) f on true
          left join lateral (select 1 as yes from statuses
            where account_id = subject.viewer_id and reblog_of_id = subject.id and reblog_of_id is not null
              and deleted_at is null limit 1) r on true
          left join lateral (select 1 as yes from bookmarks
            where account_id = subject.viewer_id and status_id = subject.id limit 1) b on true
          left join lateral (select 1 as yes from status_pins
            where account_id = subject.viewer_id and status_id = subject.id limit 1) p on true
          left join lateral (select 1 as yes from conversation_mutes
            where account_id = subject.viewer_id and conversation_id = subject.conversation_id limit 1) m on true`.compile(
      db,
    ),
}));

/** What viewers have done lately: people read more than they react. */
interface Known {
  readonly overlays: Map<StatusId, Overlay>;
  /** For each load under way, the statuses that the viewer did something with meanwhile: what it brings is not kept. */
  readonly loads: Set<Set<StatusId>>;
}

/** What a deed changes. */
type Deed = Partial<Pick<Overlay, 'favourited' | 'bookmarked'>>;

/** What a viewer has just done with a status. */
type OverlayChange = readonly [viewerId: AccountId, statusId: StatusId, deed: Deed];

/** Bus channel: this account did this with this status. Message: an OverlayChange. */
const overlayChanged = 'overlay:changed';
/** Bus channel: this account did something with statuses, or with a conversation. Message: its id. */
const overlaysChanged = 'overlays:changed';

const mostViewers = 5_000;
const mostStatuses = 1_000;
const lifetimeMilliseconds = 60_000;

const overlayCache = perApp((app) => {
  const cache = new Cache<AccountId, Known>({ size: mostViewers, ttl: lifetimeMilliseconds });
  app.bus.subscribe(overlaysChanged, (message) => cache.delete(message as AccountId));
  app.bus.onGap(() => cache.clear());
  app.bus.subscribe(overlayChanged, (message) => {
    const [viewerId, statusId, deed] = message as OverlayChange;
    const known = cache.get(viewerId);
    if (known === undefined) return;
    for (const changed of known.loads) changed.add(statusId);
    const overlay = known.overlays.get(statusId);
    if (overlay !== undefined) known.overlays.set(statusId, { ...overlay, ...deed });
  });
  return cache;
});

/**
 * What `viewerId` has done with these statuses (originals: a reblog has what its original has), in at most one statement
 * for any number of them, and one more where there are polls.
 */
export async function loadOverlays(
  app: App,
  viewerId: AccountId,
  originals: Iterable<StatusBody>,
): Promise<ReadonlyMap<StatusId, Overlay>> {
  const known = knownOverlays(app, viewerId);
  const missing: StatusBody[] = [];
  const found = new Map<StatusId, Overlay>();
  for (const body of originals) {
    const overlay = known.overlays.get(body.id);
    if (overlay === undefined || overlay.ballot?.round !== body.poll?.round) missing.push(body);
    else found.set(body.id, overlay);
  }
  if (missing.length === 0) return found;
  const changed = new Set<StatusId>();
  known.loads.add(changed);
  try {
    // A drop that overtakes the query puts `known` out of use: then nobody else sees what is kept here.
    for (const [id, overlay] of await readOverlays(app, viewerId, missing)) {
      found.set(id, overlay);
      if (!changed.has(id)) known.overlays.set(id, overlay);
    }
  } finally {
    known.loads.delete(changed);
  }
  return found;
}

/** One statement for all that is asked in one turn of the event loop, whoever the viewers are. */
const overlayGatherer = perApp(
  (app) =>
    new Gatherer<string, OverlayRow>(
      async (keys) => {
        const subjects = keys.map((key) => key.split(' ') as [AccountId, StatusId, ConversationId | '']);
        return overlayRows(app, {
          viewers: subjects.map(([viewerId]) => viewerId),
          ids: subjects.map(([, id]) => id),
          conversations: subjects.map(([, , conversationId]) => conversationId || null),
        });
      },
      (row) => `${row.viewer_id} ${row.id}`,
    ),
);

async function readOverlays(
  app: App,
  viewerId: AccountId,
  bodies: readonly StatusBody[],
): Promise<[StatusId, Overlay][]> {
  const polls = bodies.flatMap(({ poll }) => poll ?? []);
  const [rows, votes] = await Promise.all([
    overlayGatherer(app).get(bodies.map(({ id, conversationId }) => `${viewerId} ${id} ${conversationId ?? ''}`)),
    votesOf(
      app,
      viewerId,
      polls.map(({ id }) => id),
    ),
  ]);
  return bodies.flatMap(({ id, poll }): [StatusId, Overlay][] => {
    const row = rows.get(`${viewerId} ${id}`);
    if (row === undefined) return [];
    return [[id, poll === null ? row : { ...row, ballot: { round: poll.round, choices: votes.get(poll.id) ?? [] } }]];
  });
}

const untouched = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false };

/** Remembers that nobody can have done anything yet with a status that begins a conversation and is being posted. */
export function noteUntouchedAfter(
  write: Write,
  app: App,
  { viewerId, statusId }: { viewerId: AccountId; statusId: StatusId },
): void {
  write.afterCommit(() => knownOverlays(app, viewerId).overlays.set(statusId, untouched));
}

/** Makes every process know what `viewerId` has done with a status, once the transaction is through. */
export function changeOverlayAfter(write: Write, app: App, change: OverlayChange): void {
  write.afterCommit(() => app.bus.publish(overlayChanged, change));
}

/** Makes every process ask anew what `viewerId` has done, once the transaction is through. */
export function dropOverlaysAfter(write: Write, app: App, viewerId: AccountId): void {
  write.afterCommit(() => app.bus.publish(overlaysChanged, viewerId));
}

function knownOverlays(app: App, viewerId: AccountId): Known {
  const cache = overlayCache(app);
  const known = cache.get(viewerId);
  if (known !== undefined && known.overlays.size < mostStatuses) return known;
  const fresh: Known = { overlays: new Map(), loads: new Set() };
  cache.set(viewerId, fresh);
  return fresh;
}
