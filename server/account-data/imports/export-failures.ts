import type { App } from '../../platform/app.ts';
import { formatCsv } from '../../text/csv/index.ts';
import type { RowOptions } from '../tables.ts';
import type { ImportRow } from './find-imports.ts';
import type { ImportType } from './schema.ts';

/** The columns of the files of each type, after that of the target. */
const optionColumns: Readonly<Partial<Record<ImportType, readonly string[]>>> = {
  following: ['Show boosts', 'Notify on new posts', 'Languages'],
  mutes: ['Hide notifications'],
};

/** Returns the lines that could not be imported, in the format of the file and with the reason. */
export async function exportFailures({ db }: App, { id, type }: ImportRow): Promise<string> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['target', 'options', 'problem'])
    .where('import_id', '=', id)
    .where('problem', 'is not', null)
    .orderBy('line')
    .execute();
  const columns = [...(type === 'lists' ? ['List name'] : []), targetColumn(type), ...(optionColumns[type] ?? [])];
  return formatCsv(
    [...columns, 'Problem'],
    rows.map(({ target, options, problem }) => [...valuesOf(type, target, options), problem ?? '']),
  );
}

const targetColumn = (type: ImportType): string =>
  type === 'domain_blocks' ? '#domain' : type === 'bookmarks' ? '#uri' : 'Account address';

function valuesOf(type: ImportType, target: string, options: RowOptions): (string | boolean)[] {
  if (type === 'lists') return [options.list ?? '', target];
  if (type === 'mutes') return [target, options.notifications ?? true];
  if (type !== 'following') return [target];
  return [target, options.reblogs ?? true, options.notify ?? false, options.languages?.join(', ') ?? ''];
}
