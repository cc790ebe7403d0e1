import type { App } from '../../platform/app.ts';
import { listAllowedDomains, listBlockedDomains } from '../../site/domains/index.ts';
import { formatCsv } from '../../text/csv/index.ts';

const blockColumns = ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate'];

/** Returns all domain blocks as CSV, in the format of Mastodon's exports. Private comments are left out. */
export async function exportBlocks(app: App): Promise<string> {
  const blocks = await listBlockedDomains(app);
  return formatCsv(
    blockColumns,
    blocks.map(({ domain, severity, reject_media, reject_reports, public_comment: comment, obfuscate }) => [
      domain,
      severity,
      reject_media,
      reject_reports,
      comment ?? '',
      obfuscate,
    ]),
  );
}

/** Returns all allowed domains as CSV. */
export async function exportAllows(app: App): Promise<string> {
  const allows = await listAllowedDomains(app);
  return formatCsv(
    ['#domain'],
    allows.map(({ domain }) => [domain]),
  );
}
