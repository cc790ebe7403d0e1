import type { App } from '../platform/app.ts';
import { transaction } from '../platform/write/transaction.ts';
import { conflict } from '../platform/http/http-errors.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Marker } from './schema.ts';
import { writable } from './tables.ts';

export type MarkedTimeline = 'home' | 'notifications';
export type Markers = { -readonly [Timeline in MarkedTimeline]?: Marker };

interface MarkerRow {
  readonly timeline: MarkedTimeline;
  readonly last_read_id: string;
  readonly version: number;
  readonly updated_at: Date;
}

const columns = ['timeline', 'last_read_id', 'version', 'updated_at'] as const;

/** Returns the markers of these timelines, without those that were never set. */
export async function listMarkers(app: App, accountId: AccountId, timelines: readonly string[]): Promise<Markers> {
  const rows = await app.db.selectFrom('markers').select(columns).where('account_id', '=', accountId).execute();
  return presentMarkers(rows.filter(({ timeline }) => timelines.includes(timeline)));
}

/** Returns the id of the last read item of a timeline; undefined if its marker was never set. */
export async function findLastReadId(
  app: App,
  accountId: AccountId,
  timeline: MarkedTimeline,
): Promise<string | undefined> {
  const row = await app.db
    .selectFrom('markers')
    .select('last_read_id')
    .where('account_id', '=', accountId)
    .where('timeline', '=', timeline)
    .executeTakeFirst();
  return row?.last_read_id;
}

/** Sets markers, forward or backward. Throws 409 if another request changed one at the same time. */
export async function setMarkers(
  app: App,
  accountId: AccountId,
  positions: { readonly [Timeline in MarkedTimeline]?: string },
): Promise<Markers> {
  const before = await app.db.selectFrom('markers').select(columns).where('account_id', '=', accountId).execute();
  const rows = await transaction(app, async ({ db }) => {
    const changed: MarkerRow[] = [];
    for (const timeline of ['home', 'notifications'] as const) {
      const lastReadId = positions[timeline];
      if (lastReadId === undefined) continue;
      const version = before.find((row) => row.timeline === timeline)?.version;
      const values = { last_read_id: lastReadId, updated_at: app.clock.now() };
      const row =
        version === undefined
          ? await writable(db)
              .insertInto('markers')
              .values({ account_id: accountId, timeline, ...values })
              .onConflict((clash) => clash.doNothing())
              .returning(columns)
              .executeTakeFirst()
          : await writable(db)
              .updateTable('markers')
              .set({ ...values, version: version + 1 })
              .where('account_id', '=', accountId)
              .where('timeline', '=', timeline)
              .where('version', '=', version)
              .returning(columns)
              .executeTakeFirst();
      if (row === undefined) throw conflict('http.conflict');
      changed.push(row);
    }
    return changed;
  });
  return presentMarkers(rows);
}

function presentMarkers(rows: readonly MarkerRow[]): Markers {
  const markers: Markers = {};
  for (const { timeline, last_read_id, version, updated_at } of rows) {
    markers[timeline] = { last_read_id, version, updated_at: updated_at.toISOString() };
  }
  return markers;
}
