import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { exceedsLimit } from '../../text/index.ts';
import { writable, type WarningPresetId } from '../tables.ts';
import type { WarningPreset } from './schema.ts';

/** Characters. */
const maxTitleLength = 200;
const maxTextLength = 2_000;

export interface PresetContent {
  readonly title: string;
  readonly text: string;
}

/** Stores a text that staff can reuse. Throws 422 if the title or text is blank or too long. */
export function createPreset(app: App, staff: Staff, content: PresetContent): Promise<WarningPreset> {
  const values = parseContent(content);
  return transaction(app, async (tx) => {
    const now = app.clock.now();
    const id = newId<'warning-preset'>(now);
    await writable(tx.db)
      .insertInto('warning_presets')
      .values({ id, ...values, created_at: now, updated_at: now })
      .execute();
    recordStaffAction(tx, staff, {
      target: 'warning_preset',
      verb: 'create',
      id,
      label: values.title,
      after: { ...values },
    });
    return { id, ...values };
  });
}

/** Changes the given properties of a preset; decisions keep the text that they had. Throws 404 if there is none, or 422. */
export function updatePreset(
  app: App,
  staff: Staff,
  { id, ...changes }: Partial<PresetContent> & { readonly id: WarningPresetId },
): Promise<WarningPreset> {
  return transaction(app, async (tx) => {
    const before = await lockPreset(tx, id);
    const values = parseContent({ title: changes.title ?? before.title, text: changes.text ?? before.text });
    await writable(tx.db)
      .updateTable('warning_presets')
      .set({ ...values, updated_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    recordStaffAction(tx, staff, {
      target: 'warning_preset',
      verb: 'update',
      id,
      label: values.title,
      before: { title: before.title, text: before.text },
      after: { ...values },
    });
    return { id, ...values };
  });
}

/** Deletes a preset; decisions keep its text. Throws 404 if there is none. */
export function deletePreset(app: App, staff: Staff, id: WarningPresetId): Promise<void> {
  return transaction(app, async (tx) => {
    const { title, text } = await lockPreset(tx, id);
    await writable(tx.db).deleteFrom('warning_presets').where('id', '=', id).execute();
    recordStaffAction(tx, staff, {
      target: 'warning_preset',
      verb: 'delete',
      id,
      label: title,
      before: { title, text },
    });
  });
}

function lockPreset({ db }: Transaction, id: WarningPresetId): Promise<PresetContent> {
  return db
    .selectFrom('warning_presets')
    .select(['title', 'text'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound());
}

function parseContent(content: PresetContent): PresetContent {
  const [title, text] = [content.title.trim(), content.text.trim()];
  if (title === '') throw invalidField('title', 'problems.blank');
  if (text === '') throw invalidField('text', 'problems.blank');
  if (exceedsLimit(title, maxTitleLength)) throw invalidField('title', 'problems.tooLong', { max: maxTitleLength });
  if (exceedsLimit(text, maxTextLength)) throw invalidField('text', 'problems.tooLong', { max: maxTextLength });
  return { title, text };
}
