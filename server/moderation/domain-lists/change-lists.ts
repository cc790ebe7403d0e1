import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { isAllowedUrl } from '../../platform/outgoing/allowed-url.ts';
import { recordStaffAction, type StaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { writable, type DomainListId } from '../tables.ts';
import { applyList } from './apply-list.ts';
import { enqueueFetch } from './fetch-list.ts';
import { requireList, type ListRow } from './find-lists.ts';

const maxUrlLength = 2_000;
/** Each is fetched once a day. */
const maxLists = 20;

/** Subscribes to a list. A job fetches it. Throws 422 for an invalid or known address. */
export function addList(
  app: App,
  staff: Staff,
  { url: text, automatic = false }: { readonly url: string; readonly automatic?: boolean | undefined },
): Promise<ListRow> {
  const url = parseUrl(app, text);
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const lists = await tx.db.selectFrom('domain_lists').select('id').limit(maxLists).execute();
    if (lists.length === maxLists) throw validationFailed('domains.tooManyLists', { max: maxLists });
    const list = await writable(tx.db)
      .insertInto('domain_lists')
      .values({ id: newId<'domain-list'>(now), url, automatic, created_at: now, next_fetch_at: now })
      .onConflict((conflict) => conflict.column('url').doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => validationFailed('domains.knownList', { url }));
    enqueueFetch(tx, list);
    record(tx, staff, list, { verb: 'create', after: { automatic } });
    return list;
  });
}

/** Sets whether a list is applied without staff. Throws 404 if there is none. */
export function updateList(
  app: App,
  staff: Staff,
  id: DomainListId,
  { automatic }: { readonly automatic: boolean },
): Promise<ListRow> {
  return transaction(app, async (tx) => {
    const before = await lockList(tx, id);
    if (before.automatic === automatic) return before;
    const list = await writable(tx.db)
      .updateTable('domain_lists')
      .set({ automatic })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    record(tx, staff, list, { verb: 'update', before: { automatic: before.automatic }, after: { automatic } });
    return list;
  });
}

/** Fetches a list soon. Throws 404 if there is none. */
export function refreshList(app: App, staff: Staff, id: DomainListId): Promise<ListRow> {
  return transaction(app, async (tx) => {
    const list = await lockList(tx, id);
    enqueueFetch(tx, list);
    record(tx, staff, list, { verb: 'fetch' });
    return list;
  });
}

/**
 * Ends a subscription. The blocks that it created stay, unless `undo` is set. Throws 404 if there is none.
 */
export async function removeList(app: App, staff: Staff, id: DomainListId, undo = false): Promise<void> {
  if (undo) {
    await requireList(app, id);
    await transaction(app, ({ db }) =>
      writable(db).updateTable('domain_list_entries').set({ listed: false }).where('list_id', '=', id).execute(),
    );
    await applyList(app, staff, id);
  }
  await transaction(app, async (tx) => {
    const list = await lockList(tx, id);
    await writable(tx.db).deleteFrom('domain_lists').where('id', '=', id).execute();
    record(tx, staff, list, { verb: 'delete', before: { automatic: list.automatic } });
  });
}

/** Makes a domain an exception of a list, or no longer. Applies with the list. Throws 404 if the list lacks the domain. */
export function setException(
  app: App,
  staff: Staff,
  id: DomainListId,
  { domain, isExcepted }: { readonly domain: string; readonly isExcepted: boolean },
): Promise<void> {
  return transaction(app, async (tx) => {
    const list = await lockList(tx, id);
    const entry = await tx.db
      .selectFrom('domain_list_entries')
      .select('excepted')
      .where('list_id', '=', id)
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow(() => notFound());
    if (entry.excepted === isExcepted) return;
    await writable(tx.db)
      .updateTable('domain_list_entries')
      .set({ excepted: isExcepted })
      .where('list_id', '=', id)
      .where('domain', '=', domain)
      .execute();
    const details = { [domain]: isExcepted };
    record(tx, staff, list, { verb: isExcepted ? 'except' : 'include', after: details });
  });
}

function lockList({ db }: Transaction, id: DomainListId): Promise<ListRow> {
  return db
    .selectFrom('domain_lists')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

const record = (
  tx: Transaction,
  staff: Staff,
  { id, url }: ListRow,
  action: Pick<StaffAction, 'verb' | 'before' | 'after'>,
): void => recordStaffAction(tx, staff, { target: 'domain_list', id, label: url, ...action });

function parseUrl({ config }: App, text: string): string {
  const url = text.trim();
  if (url.length > maxUrlLength) throw invalidField('url', 'problems.tooLong', { max: maxUrlLength });
  if (!isAllowedUrl(config, url)) throw invalidField('url', 'domains.urlNotPublic');
  return new URL(url).href;
}
