import { firstKey, tablesOf, type ImportRun } from './import-run.ts';
import { keysStatement } from './source-statements.ts';
import { keyOf, targetKeyOf, type TableImport } from './table-import.ts';
import { deleteAllStatement, deleteVanishedStatement } from './target-statements.ts';

const batchSize = 50_000;

/**
 * Deletes rows of the table of a step that are no longer in the source, or no longer taken. Steps that share a table must share
 * that of the source, and the first one deletes for all. Returns their number, without those of tables that are rebuilt.
 */
export async function deleteVanished(run: ImportRun, table: TableImport): Promise<number> {
  if (table.isRebuilt === true) {
    await run.target.query(deleteAllStatement(table.into));
    return 0;
  }
  const tables = tablesOf(run, table);
  const targetKey = targetKeyOf(table);
  const twins = run.plan.tables.filter(({ into, isUpdate }) => into === table.into && isUpdate !== true);
  if (tables === undefined || targetKey === undefined || twins[0] !== table || table.replaces === true) return 0;
  const read = keysStatement(twins, tables.source, batchSize);
  let deleted = 0;
  for (let after = firstKey(table); ;) {
    const { rows } = await run.source.query<Record<string, string[]>>(read, [...after]);
    const arrays = keyOf(table).map((_, index) => rows[0]?.[`key_${index}`] ?? []);
    const isLast = (arrays[0]?.length ?? 0) < batchSize;
    const last = arrays.map((array) => array.at(-1) ?? '');
    const result = await run.target.query(deleteVanishedStatement(table.into, targetKey, !isLast), [
      ...arrays,
      ...after,
      ...(isLast ? [] : last),
    ]);
    deleted += result.rowCount ?? 0;
    if (isLast) return deleted;
    after = last;
  }
}
