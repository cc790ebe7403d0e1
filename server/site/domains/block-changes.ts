import { invalidField } from '../../platform/http/http-errors.ts';
import { cleanText } from '../../text/index.ts';
import type { AuditDetails } from '../audit/record-staff-action.ts';
import type { DomainBlockRow, DomainSeverity } from '../tables.ts';
import { namesOf } from '../../platform/known-names.ts';

/** Changes to a block. Omitted fields keep their value, or get the default in a new block. */
export interface BlockChanges {
  /** `noop`: only the flags apply; `silence`: limit all accounts; `suspend`: exchange nothing. New blocks: `silence`. */
  readonly severity?: DomainSeverity | undefined;
  readonly rejectMedia?: boolean | undefined;
  readonly rejectReports?: boolean | undefined;
  /** Masks the domain in the public list of blocks. */
  readonly obfuscate?: boolean | undefined;
  readonly privateComment?: string | null | undefined;
  readonly publicComment?: string | null | undefined;
}

/** The columns that staff set. */
export type BlockColumns = Pick<
  DomainBlockRow,
  'severity' | 'reject_media' | 'reject_reports' | 'obfuscate' | 'private_comment' | 'public_comment'
>;

/** A new block without any changes. */
export const defaultBlock: BlockColumns = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  private_comment: null,
  public_comment: null,
};

/** Characters. */
const maxCommentLength = 5_000;

/** Returns the columns that changes set. Throws 422 for a comment that is too long. */
export function toColumns({
  severity,
  rejectMedia,
  rejectReports,
  obfuscate,
  privateComment,
  publicComment,
}: BlockChanges): Partial<BlockColumns> {
  return {
    ...(severity !== undefined && { severity }),
    ...(rejectMedia !== undefined && { reject_media: rejectMedia }),
    ...(rejectReports !== undefined && { reject_reports: rejectReports }),
    ...(obfuscate !== undefined && { obfuscate }),
    ...(privateComment !== undefined && { private_comment: parseComment('private_comment', privateComment) }),
    ...(publicComment !== undefined && { public_comment: parseComment('public_comment', publicComment) }),
  };
}

function parseComment(field: 'private_comment' | 'public_comment', comment: string | null): string | null {
  const text = cleanText(comment ?? '').trim();
  if (text.length > maxCommentLength) throw invalidField(field, 'problems.tooLong', { max: maxCommentLength });
  return text === '' ? null : text;
}

const names = namesOf(defaultBlock);

/** Returns what staff set in a block, for the audit log. */
export const blockDetails = (block: BlockColumns): AuditDetails =>
  Object.fromEntries(names.map((name) => [name, block[name]]));

/** Whether a block already does all that another one would do to the same domain. */
export function coversBlock(block: BlockColumns, other: BlockColumns): boolean {
  if (block.severity === 'suspend') return true;
  const severities: readonly DomainSeverity[] = ['noop', 'silence', 'suspend'];
  return (
    severities.indexOf(block.severity) >= severities.indexOf(other.severity) &&
    (block.reject_media || !other.reject_media) &&
    (block.reject_reports || !other.reject_reports)
  );
}
