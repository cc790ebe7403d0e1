import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { get, post, type Route } from '../../platform/http/routes.ts';
import { textBody } from '../../platform/http/text-bodies.ts';
import { exportAllows, exportBlocks } from './export-domains.ts';
import { importAllows, importBlocks } from './import-domains.ts';
import { AllowImport, BlockImport } from './schema.ts';

const accessTo = (what: 'domain_blocks' | 'domain_allows', verb: 'read' | 'write') =>
  ({ access: 'staff:manage_federation', scope: `admin:${verb}|admin:${verb}:${what}` }) as const;

/** Characters; a list has 5,000 lines at most. */
const maxListLength = 1_000_000;
/** Bytes. */
const bodyLimit = 1_500_000;

const csvInput = {
  csv: Type.String({ maxLength: maxListLength, description: 'The text of the file, in the format of the export' }),
  dry_run: Type.Optional(Type.Boolean({ description: 'Changes nothing, and returns what would change' })),
};

const csvFile = (name: string, text: string): HttpResponse =>
  new HttpResponse({
    text,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  });

/** Import and export of domains; Mastodon has pages for it. */
export const serverRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/domain_blocks/export', {
    summary: 'Return the domain blocks as CSV, in the format of Mastodon',
    ...accessTo('domain_blocks', 'read'),
    response: textBody('text/csv'),
    handle: async ({ app }) => csvFile('domain_blocks', await exportBlocks(app)),
  }),
  post('/api/v1/fieldfare/admin/domain_blocks/import', {
    summary: 'Block the domains of a list, or show what it would change',
    ...accessTo('domain_blocks', 'write'),
    bodyLimit,
    input: Type.Object({
      ...csvInput,
      weaken: Type.Optional(Type.Boolean({ description: 'Also weakens blocks that are stricter than the list' })),
    }),
    response: BlockImport,
    handle: ({ app, viewer, input: { csv, dry_run: dryRun, weaken } }) =>
      importBlocks(app, viewer.accountId, { csv, dryRun, weaken }),
  }),
  get('/api/v1/fieldfare/admin/domain_allows/export', {
    summary: 'Return the allowed domains as CSV, in the format of Mastodon',
    ...accessTo('domain_allows', 'read'),
    response: textBody('text/csv'),
    handle: async ({ app }) => csvFile('domain_allows', await exportAllows(app)),
  }),
  post('/api/v1/fieldfare/admin/domain_allows/import', {
    summary: 'Allow the domains of a list, or show what it would change',
    ...accessTo('domain_allows', 'write'),
    bodyLimit,
    input: Type.Object(csvInput),
    response: AllowImport,
    handle: ({ app, viewer, input: { csv, dry_run: dryRun } }) => importAllows(app, viewer.accountId, { csv, dryRun }),
  }),
];
