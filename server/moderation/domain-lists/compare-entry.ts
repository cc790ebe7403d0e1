import type { Selectable } from 'kysely';
import { coversBlock, type BlockColumns } from '../../site/domains/index.ts';
import type { RowId } from '../../platform/ids.ts';
import type { ModerationTables } from '../tables.ts';
import type { DomainListChange } from './schema.ts';

export type EntryRow = Selectable<ModerationTables['domain_list_entries']>;
export type StoredBlock = BlockColumns & { readonly id: RowId; readonly domain: string };

/**
 * Returns what an entry of a list would change; undefined for nothing. A block that staff created, changed or removed is
 * theirs, and is not touched. `isListedElsewhere`: another list has the domain too.
 */
export function compareEntry(
  entry: EntryRow,
  block: StoredBlock | undefined,
  isListedElsewhere: boolean,
): DomainListChange['change'] | undefined {
  const isOwn = block !== undefined && entry.block_id === block.id && isAsApplied(entry, block);
  if (entry.excepted || !entry.listed) {
    if (isOwn && !(isListedElsewhere && !entry.excepted)) return 'remove';
    return entry.excepted && entry.listed ? 'except' : undefined;
  }
  if (block === undefined) return entry.block_id === null ? 'create' : 'keep';
  if (isOwn) return isAsListed(entry, block) ? undefined : 'update';
  return coversBlock(block, entry as unknown as BlockColumns) ? undefined : 'keep';
}

const isAsApplied = (entry: EntryRow, block: StoredBlock): boolean =>
  entry.applied_severity === block.severity &&
  entry.applied_reject_media === block.reject_media &&
  entry.applied_reject_reports === block.reject_reports;

const isAsListed = (entry: EntryRow, block: StoredBlock): boolean =>
  entry.severity === block.severity &&
  entry.reject_media === block.reject_media &&
  entry.reject_reports === block.reject_reports;

/** Returns the limits that an entry asks for. */
export const limitsOf = ({
  severity,
  reject_media,
  reject_reports,
}: Pick<BlockColumns, 'severity' | 'reject_media' | 'reject_reports'>) => ({ severity, reject_media, reject_reports });
