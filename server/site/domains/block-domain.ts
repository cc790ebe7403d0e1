import type { App } from '../../platform/app.ts';
import { transaction as inTransaction } from '../../platform/database/transaction.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { cleanText } from '../../text/index.ts';
import { parseDomain } from './parse-domain.ts';
import { domainBlocked } from '../events.ts';
import { staffAccountId, type Staff } from '../staff.ts';
import type { DomainBlockRow, DomainSeverity } from '../tables.ts';

/** Changes to a block. Omitted fields keep their value, or get the default in a new block. */
export interface DomainBlockChanges {
  readonly domain: string;
  /** `noop`: only the flags apply; `silence`: limit all accounts; `suspend`: exchange nothing. New blocks: `silence`. */
  readonly severity?: DomainSeverity | undefined;
  readonly rejectMedia?: boolean | undefined;
  readonly rejectReports?: boolean | undefined;
  /** Masks the domain in the public list of blocks. */
  readonly obfuscate?: boolean | undefined;
  readonly privateComment?: string | null | undefined;
  readonly publicComment?: string | null | undefined;
}

/** Characters. */
const maxCommentLength = 5_000;

/**
 * Blocks a domain and its subdomains, or changes an existing block. Takes effect at once in every process; a job updates the
 * accounts of the domain and undoes the effects of the previous severity. Throws 422 for an invalid or local domain.
 */
export async function blockDomain(app: App, staff: Staff, changes: DomainBlockChanges): Promise<DomainBlockRow> {
  const domain = parseDomain(app, changes.domain);
  const columns = columnsOf(changes);
  return inTransaction(app, async (tx) => {
    const now = app.clock.now();
    const { severity = 'silence', ...others } = columns;
    const block = await tx.db
      .insertInto('domain_blocks')
      .values({ id: newId<'row'>(now), domain, created_at: now, severity, ...others })
      // Sets at least the domain, so that the row is locked and returned.
      .onConflict((conflict) => conflict.column('domain').doUpdateSet({ domain, ...columns }))
      .returningAll()
      .executeTakeFirstOrThrow();
    tx.emit(domainBlocked({ domain, staffId: staffAccountId(staff) }));
    return block;
  });
}

function columnsOf({
  severity,
  rejectMedia,
  rejectReports,
  obfuscate,
  privateComment,
  publicComment,
}: DomainBlockChanges) {
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
