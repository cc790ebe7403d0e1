import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { invalidField } from '../platform/http/http-errors.ts';
import { newId, type AccountId, type FilterId, type StatusId } from '../platform/ids.ts';
import { parseTime } from '../text/times/index.ts';
import { changeFilters } from './change-filters.ts';
import { assertAtMost, accountLimits } from './filter-limits.ts';
import { parseContext, parseKeyword, parseTitle } from './filter-params.ts';
import { listFiltersIn } from './find-filters.ts';
import type { ExportedFilter, Filter, FilterAction, FilterContext } from './schema.ts';
import { writable } from './tables.ts';

/** A filter of a file. The statuses are those that the account may see. */
export interface FilterToImport extends Omit<ExportedFilter, 'statuses'> {
  readonly statusIds: readonly StatusId[];
}

/** What an import does with the filters that the account has: adds to them, or deletes them first. */
export type ImportMode = 'merge' | 'replace';

/**
 * Imports filters, all or none, as one change. A merge adds the keywords and statuses that a filter of the same title,
 * contexts and action does not have, so that a second import changes nothing. Throws 422 for an invalid filter, and above
 * the limits of the account.
 */
export function importFilters(
  app: App,
  accountId: AccountId,
  input: readonly FilterToImport[],
  mode: ImportMode,
): Promise<void> {
  const now = app.clock.now();
  return changeFilters(app, accountId, async (tx) => {
    if (mode === 'replace') await writable(tx.db).deleteFrom('filters').where('account_id', '=', accountId).execute();
    const drafts = new Drafts(await listFiltersIn(tx, accountId), () => newId<'filter'>(now));
    for (const filter of input) drafts.add(filter);
    await insertFilters(tx, accountId, drafts.created, now);
    await insertKeywords(tx, drafts.keywords, now);
    await insertStatuses(tx, drafts.statuses, now);
  });
}

/** Throws 422 if a file has more of anything than an account may have, before it is looked at. */
export function assertImportable(filters: readonly ExportedFilter[]): void {
  const count = (of: (filter: ExportedFilter) => readonly unknown[] | undefined) =>
    filters.reduce((sum, filter) => sum + (of(filter)?.length ?? 0), 0);
  assertAtMost(filters.length, accountLimits.filters, 'filters.tooManyFilters');
  assertAtMost(
    count(({ keywords }) => keywords),
    accountLimits.keywords,
    'filters.tooManyKeywords',
  );
  assertAtMost(
    count(({ statuses }) => statuses),
    accountLimits.statuses,
    'filters.tooManyStatuses',
  );
}

interface NewFilter {
  readonly id: FilterId;
  readonly title: string;
  readonly context: FilterContext[];
  readonly action: FilterAction;
  readonly expires_at: Date | null;
}

/** Collects the rows that an import adds. */
class Drafts {
  readonly created: NewFilter[] = [];
  readonly keywords: { filterId: FilterId; keyword: string; wholeWord: boolean }[] = [];
  readonly statuses: { filterId: FilterId; statusId: StatusId }[] = [];
  readonly #nextId: () => FilterId;
  readonly #ids = new Map<string, FilterId>();
  /** Keywords and statuses of filters that need not be added. */
  readonly #existing = new Set<string>();

  constructor(filters: readonly Filter[], nextId: () => FilterId) {
    this.#nextId = nextId;
    for (const { id, title, context, filter_action: action, keywords, statuses } of filters) {
      this.#ids.set(identityOf(title, context, action), id);
      for (const { keyword, whole_word: wholeWord } of keywords) this.#isNew(id, 'keyword', keyword, wholeWord);
      for (const { status_id: statusId } of statuses) this.#isNew(id, 'status', statusId);
    }
  }

  add(filter: FilterToImport): void {
    const filterId = this.#findOrCreate(filter);
    for (const { keyword: text, whole_word: wholeWord = true } of filter.keywords ?? []) {
      const keyword = parseKeyword(text);
      if (this.#isNew(filterId, 'keyword', keyword, wholeWord)) this.keywords.push({ filterId, keyword, wholeWord });
    }
    for (const statusId of filter.statusIds)
      if (this.#isNew(filterId, 'status', statusId)) this.statuses.push({ filterId, statusId });
  }

  #findOrCreate({ title: text, context: contexts, filter_action: action = 'warn', ...rest }: FilterToImport): FilterId {
    const [title, context] = [parseTitle(text), parseContext(contexts)];
    const expiresAt = parseExpiry(rest.expires_at);
    const identity = identityOf(title, context, action);
    const existing = this.#ids.get(identity);
    if (existing !== undefined) return existing;
    const id = this.#nextId();
    this.#ids.set(identity, id);
    this.created.push({ id, title, context, action, expires_at: expiresAt });
    return id;
  }

  /** Remembers something of a filter. Returns whether it was not known before. */
  #isNew(...parts: readonly unknown[]): boolean {
    const key = JSON.stringify(parts);
    if (this.#existing.has(key)) return false;
    this.#existing.add(key);
    return true;
  }
}

const identityOf = (title: string, context: readonly FilterContext[], action: FilterAction): string =>
  JSON.stringify([title, context.toSorted(), action]);

function parseExpiry(text: string | null | undefined): Date | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  const time = parseTime(text);
  if (time === undefined) throw invalidField('expires_at', 'problems.notATime', { value: text.slice(0, 100) });
  return time;
}

async function insertFilters(
  { db }: Transaction,
  accountId: AccountId,
  filters: readonly NewFilter[],
  now: Date,
): Promise<void> {
  if (filters.length === 0) return;
  await writable(db)
    .insertInto('filters')
    .values(filters.map((filter) => ({ ...filter, account_id: accountId, created_at: now })))
    .execute();
}

async function insertKeywords({ db }: Transaction, keywords: Drafts['keywords'], now: Date): Promise<void> {
  if (keywords.length === 0) return;
  await sql`
    insert into filter_keywords (id, filter_id, keyword, whole_word)
    select * from unnest(${keywords.map(() => newId<'filter-keyword'>(now))}::bigint[],
      ${keywords.map(({ filterId }) => filterId)}::bigint[], ${keywords.map(({ keyword }) => keyword)}::text[],
      ${keywords.map(({ wholeWord }) => wholeWord)}::boolean[])`.execute(db);
}

async function insertStatuses({ db }: Transaction, statuses: Drafts['statuses'], now: Date): Promise<void> {
  if (statuses.length === 0) return;
  await sql`
    insert into filter_statuses (id, filter_id, status_id)
    select * from unnest(${statuses.map(() => newId<'filter-status'>(now))}::bigint[],
      ${statuses.map(({ filterId }) => filterId)}::bigint[], ${statuses.map(({ statusId }) => statusId)}::bigint[])
    on conflict do nothing`.execute(db);
}
