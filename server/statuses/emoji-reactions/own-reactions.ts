import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import type { CachedStatus } from '../read/cached-status.ts';
import { reactionName } from './cached-reactions.ts';

interface OwnRow {
  readonly status_id: StatusId;
  readonly name: string;
  readonly domain: string;
}

const ownRows = preparedQuery<OwnRow>()((db, args: { accountId: AccountId; statusIds: readonly StatusId[] }) =>
  db
    .selectFrom('status_reactions')
    .select(['status_id', 'name', 'domain'])
    .where(sql<boolean>`status_id = any(${args.statusIds}::bigint[])`)
    .where('account_id', '=', args.accountId),
);

export type OwnReactions = ReadonlyMap<StatusId, ReadonlySet<string>>;

const noReactions: OwnReactions = new Map();

/** Returns the emojis with which a viewer reacted to statuses. No query if none of them has reactions. */
export async function loadOwnReactions(
  app: App,
  accountId: AccountId | undefined,
  statuses: readonly CachedStatus[],
): Promise<OwnReactions> {
  const statusIds = statuses.flatMap(({ id, reactions }) => (reactions.length === 0 ? [] : [id]));
  if (accountId === undefined || statusIds.length === 0) return noReactions;
  const rows = await ownRows(app, { accountId, statusIds });
  return new Map(
    [...Map.groupBy(rows, (row) => row.status_id)].map(([id, own]) => [id, new Set(own.map(reactionName))]),
  );
}
