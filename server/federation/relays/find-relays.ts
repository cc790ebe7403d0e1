import type { App } from '../../platform/app.ts';
import { pagedQuery, selectPage } from '../../platform/database/paged-query.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { RelayId, RelayRow } from '../tables.ts';
import type { Relay } from './schema.ts';

/** Returns a page of the relays, newest first. */
export const pageOfRelays = pagedQuery<RelayRow>()<{}>((db, args, order) =>
  selectPage(db.selectFrom('relays').selectAll(), args, order),
);

/** Returns a relay. Throws 404 if there is none. */
export function requireRelay({ db }: App, id: RelayId): Promise<RelayRow> {
  return db
    .selectFrom('relays')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
}

/** Locks and returns a relay. */
export const lockRelay = ({ db }: Transaction, id: RelayId): Promise<RelayRow | undefined> =>
  db.selectFrom('relays').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export const presentRelay = ({ id, url, kind, state, created_at, updated_at }: RelayRow): Relay => ({
  id,
  url,
  kind,
  state,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
