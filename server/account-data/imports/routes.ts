import { Type } from 'typebox';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { del, get, post, type Route } from '../../platform/http/routes.ts';
import { textBody } from '../../platform/http/text-bodies.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { confirmImport, createImport, deleteImport } from './change-imports.ts';
import { listImports, presentImport, presentImports, requireImport } from './find-imports.ts';
import { exportFailures } from './export-failures.ts';
import { Import, ImportType } from './schema.ts';

/** Characters: 20,000 addresses of the usual length, with options. */
const maxFileLength = 4_000_000;
/** Bytes. */
const bodyLimit = 6_000_000;

const params = Type.Object({ id: idSchema<'import'>() });
const readAccess = { access: 'user', scope: 'read' } as const;
const writeAccess = { access: 'user', scope: 'write' } as const;

/** Imports of what an account had elsewhere; Mastodon has pages for them. */
export const importRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/imports', {
    summary: 'List your last imports, newest first',
    ...readAccess,
    response: Type.Array(Import),
    handle: async ({ app, viewer }) => presentImports(app, await listImports(app, viewer.accountId)),
  }),
  post('/api/v1/fieldfare/imports', {
    summary: 'Check a file of follows, blocks, mutes, domains, lists or bookmarks; confirm it to import it',
    ...writeAccess,
    rateLimit: 'imports',
    bodyLimit,
    allowSlowBody: true,
    input: Type.Object({
      type: ImportType,
      csv: Type.String({
        maxLength: maxFileLength,
        description: "The text of the file, in the format of Mastodon's exports",
      }),
      mode: Type.Optional(
        Type.Enum(['merge', 'overwrite'], {
          description: 'merge (the default) adds to what you have; overwrite also removes what the file does not list',
        }),
      ),
    }),
    response: Import,
    handle: async ({ app, viewer, input: { type, csv, mode } }) =>
      presentImport(app, await createImport(app, viewer.accountId, { type, csv, overwrite: mode === 'overwrite' })),
  }),
  get('/api/v1/fieldfare/imports/:id', {
    summary: 'Show an import and how far it is',
    ...readAccess,
    params,
    response: Import,
    handle: async ({ app, viewer, params: { id } }) =>
      presentImport(app, await requireImport(app, viewer.accountId, id)),
  }),
  post('/api/v1/fieldfare/imports/:id/confirm', {
    summary: 'Confirm an import, which starts it',
    ...writeAccess,
    params,
    response: Import,
    async handle({ app, viewer: { accountId }, params: { id } }) {
      await confirmImport(app, accountId, id);
      return presentImport(app, await requireImport(app, accountId, id));
    },
  }),
  get('/api/v1/fieldfare/imports/:id/failures', {
    summary: 'Return the first 100 lines that could not be imported as CSV, which can be imported again',
    ...readAccess,
    params,
    response: textBody('text/csv'),
    async handle({ app, viewer, params: { id } }) {
      const imported = await requireImport(app, viewer.accountId, id);
      return new HttpResponse({
        text: await exportFailures(app, imported),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${imported.type}_failures.csv"`,
        },
      });
    },
  }),
  del('/api/v1/fieldfare/imports/:id', {
    summary: 'Stop or forget an import; what it imported stays',
    ...writeAccess,
    params,
    response: Type.Object({}),
    async handle({ app, viewer, params: { id } }) {
      await deleteImport(app, viewer.accountId, id);
      return {};
    },
  }),
];
