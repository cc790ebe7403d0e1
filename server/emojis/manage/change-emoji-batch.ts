import { deleteStoredFiles } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { notFound, validationFailed } from '../../platform/http/http-errors.ts';
import { message, type Message } from '../../platform/i18n/message.ts';
import { recordStaffAction, recordStaffUpdate, type AuditDetails } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import type { EmojiRow } from '../find-emojis.ts';
import { writable, type EmojiId } from '../tables.ts';
import { enqueueCopy } from './copy-emoji.ts';
import { emitEmojiChanged, emojiLabel } from './lock-emoji.ts';
import { isLocalShortcode, parseCategory } from './parse-emoji.ts';

/** As many as a page of the list has. */
const maxBatchSize = 200;

/** What can be done to many emojis at once. All but `copy`, `enable` and `disable` are for local ones only. */
export const emojiBatchActions = ['update', 'enable', 'disable', 'delete', 'copy'] as const;
type EmojiBatchAction = (typeof emojiBatchActions)[number];

/** A change of many emojis. */
export interface EmojiBatchChange {
  readonly action: EmojiBatchAction;
  /** For `update` and `copy`; blank for none. */
  readonly category?: string | undefined;
  /** For `update`. */
  readonly visibleInPicker?: boolean | undefined;
}

/** An emoji that was not changed, and why. */
export interface UnchangedEmoji {
  readonly id: EmojiId;
  readonly error: Message;
}

/** A change whose category was checked. Undefined stays unchanged, null is none. */
interface ParsedChange extends Omit<EmojiBatchChange, 'category'> {
  readonly category: string | null | undefined;
}

/**
 * Changes emojis in one transaction. One that does not exist or may not be changed so is left out and reported; it keeps
 * no other from being changed. Copies are made by jobs, as by `copyEmoji`. Throws 422 for an invalid category, or more
 * than 200 emojis.
 */
export async function changeEmojis(
  app: App,
  staff: Staff,
  { ids, ...change }: EmojiBatchChange & { readonly ids: readonly EmojiId[] },
): Promise<UnchangedEmoji[]> {
  if (ids.length > maxBatchSize) throw validationFailed('emojis.tooMany', { max: maxBatchSize });
  if (ids.length === 0) return [];
  const category = change.category === undefined ? undefined : parseCategory(change.category);
  const parsed: ParsedChange = { ...change, category };
  const { unchanged, files } = await transaction(app, async (tx) => {
    const found = await lockEmojis(tx, ids);
    const { rows, unchanged } = await separate(tx, { ids, found, action: change.action });
    await applyChange(tx, staff, { rows, change: parsed });
    return { unchanged, files: change.action === 'delete' ? rows : [] };
  });
  await deleteStoredFiles(
    app,
    files.flatMap((row) => [row.image_key, row.static_key]),
  );
  return unchanged;
}

const lockEmojis = ({ db }: Transaction, ids: readonly EmojiId[]): Promise<EmojiRow[]> =>
  db.selectFrom('custom_emojis').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute();

/** Separates the emojis that can be changed, in the given order, from the others. */
async function separate(
  tx: Transaction,
  {
    ids,
    found,
    action,
  }: { readonly ids: readonly EmojiId[]; readonly found: readonly EmojiRow[]; readonly action: EmojiBatchAction },
): Promise<{ readonly rows: EmojiRow[]; readonly unchanged: UnchangedEmoji[] }> {
  const byId = new Map(found.map((row) => [row.id, row]));
  const taken = action === 'copy' ? await findLocalShortcodes(tx, found) : new Set<string>();
  const rows: EmojiRow[] = [];
  const unchanged: UnchangedEmoji[] = [];
  for (const id of new Set(ids)) {
    const row = byId.get(id);
    const problem = row && problemOf(row, { action, taken });
    if (row === undefined || problem !== undefined) {
      unchanged.push({ id, error: problem ?? notFound().text });
      continue;
    }
    rows.push(row);
    // Of two remote emojis with the same shortcode, the first is copied.
    if (action === 'copy') taken.add(row.shortcode);
  }
  return { rows, unchanged };
}

async function findLocalShortcodes({ db }: Transaction, rows: readonly EmojiRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const shortcodes = rows.map(({ shortcode }) => shortcode);
  const taken = await db
    .selectFrom('custom_emojis')
    .select('shortcode')
    .where('domain', 'is', null)
    .where('shortcode', 'in', shortcodes)
    .execute();
  return new Set(taken.map(({ shortcode }) => shortcode));
}

function problemOf(
  { domain, shortcode }: EmojiRow,
  { action, taken }: { readonly action: EmojiBatchAction; readonly taken: ReadonlySet<string> },
): Message | undefined {
  const isLocal = domain === null;
  if (action === 'update' || action === 'delete') return isLocal ? undefined : message('emojis.notLocal');
  if (action !== 'copy') return undefined;
  if (isLocal) return message('emojis.notRemote');
  if (taken.has(shortcode)) return message('emojis.exists', { shortcode });
  return isLocalShortcode(shortcode) ? undefined : message('emojis.invalidShortcode');
}

async function applyChange(
  tx: Transaction,
  staff: Staff,
  { rows, change }: { readonly rows: readonly EmojiRow[]; readonly change: ParsedChange },
): Promise<void> {
  if (rows.length === 0) return;
  const { action, category } = change;
  const ids = rows.map(({ id }) => id);
  switch (action) {
    case 'copy':
      for (const emoji of rows) enqueueCopy(tx, staff, { emoji, category: category ?? null });
      return;
    case 'delete':
      await writable(tx.db).deleteFrom('custom_emojis').where('id', 'in', ids).execute();
      break;
    default: {
      const values = valuesOf(change);
      if (Object.keys(values).length === 0) return;
      await writable(tx.db).updateTable('custom_emojis').set(values).where('id', 'in', ids).execute();
    }
  }
  for (const row of rows) {
    emitEmojiChanged(tx, row);
    recordChange(tx, staff, { row, change });
  }
}

const valuesOf = ({ action, category, visibleInPicker }: ParsedChange) =>
  action === 'update'
    ? {
        ...(category !== undefined && { category }),
        ...(visibleInPicker !== undefined && { visible_in_picker: visibleInPicker }),
      }
    : { disabled: action === 'disable' };

function recordChange(
  tx: Transaction,
  staff: Staff,
  { row, change }: { readonly row: EmojiRow; readonly change: ParsedChange },
): void {
  const entry = { target: 'custom_emoji', verb: change.action, id: row.id, label: emojiLabel(row) } as const;
  const { category, visible_in_picker, disabled } = row;
  if (change.action === 'delete') {
    recordStaffAction(tx, staff, { ...entry, before: { category, visible_in_picker } });
    return;
  }
  const after: AuditDetails = valuesOf(change);
  recordStaffUpdate(tx, staff, { ...entry, before: { category, visible_in_picker, disabled }, after });
}
