import type { Transaction } from '../../platform/write/transaction.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { WarningPresetId } from '../tables.ts';

/** Returns the text of a preset. Throws 404 if there is none. */
export async function loadPresetText({ db }: Transaction, id: WarningPresetId): Promise<string> {
  const preset = await db
    .selectFrom('warning_presets')
    .select('text')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound());
  return preset.text;
}
