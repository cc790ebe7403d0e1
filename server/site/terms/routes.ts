import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { del, get, post, put, type Route } from '../../platform/http/routes.ts';
import { announceTermsOfService } from './announce-terms-of-service.ts';
import { discardTermsDraft, findTermsDraft, publishTermsDraft, saveTermsDraft } from './draft-terms-of-service.ts';
import { TermsDraftEntity, TermsVersion } from './schema.ts';
import { findTermsOfService, listTermsOfService, type TermsOfService } from './terms-of-service.ts';

const readAccess = { access: 'staff:manage_settings', scope: 'admin:read' } as const;
const writeAccess = { access: 'staff:manage_settings', scope: 'admin:write' } as const;
/** Characters; the use case has tighter limits. */
const longText = Type.String({ maxLength: 100_000 });
const effectiveDate = Type.Optional(Type.String({ description: 'A day in UTC, such as 2026-12-31' }));
const bodyLimit = 2 * 1_048_576;

/** Mastodon has no API for its terms of service. */
export const termsRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/terms_of_service', {
    summary: 'List the published versions of the terms of service, oldest first',
    ...readAccess,
    response: Type.Array(TermsVersion),
    handle: async ({ app }) => (await listTermsOfService(app)).map(presentVersion),
  }),
  get('/api/v1/fieldfare/admin/terms_of_service/draft', {
    summary: 'Show the draft of the next version; 404 if there is none',
    ...readAccess,
    response: TermsDraftEntity,
    handle: ({ app }) => presentDraft(app),
  }),
  put('/api/v1/fieldfare/admin/terms_of_service/draft', {
    summary: 'Store the draft of the next version, in place of the last draft',
    ...writeAccess,
    input: Type.Object({
      content: longText,
      changelog: Type.Optional(Type.String()),
      effective_date: effectiveDate,
    }),
    bodyLimit,
    allowSlowBody: true,
    response: TermsDraftEntity,
    async handle({ app, viewer, input: { content, changelog, effective_date } }) {
      await saveTermsDraft(app, viewer.accountId, { content, changelog, effectiveDate: effective_date || undefined });
      return presentDraft(app);
    },
  }),
  del('/api/v1/fieldfare/admin/terms_of_service/draft', {
    summary: 'Delete the draft',
    ...writeAccess,
    response: Type.Object({}),
    async handle({ app, viewer }) {
      await discardTermsDraft(app, viewer.accountId);
      return {};
    },
  }),
  post('/api/v1/fieldfare/admin/terms_of_service/draft/publish', {
    summary: 'Publish the draft; it applies from the given day, else its day, else today',
    ...writeAccess,
    input: Type.Object({ effective_date: effectiveDate }),
    response: TermsVersion,
    async handle({ app, viewer, input }) {
      return requireVersion(app, await publishTermsDraft(app, viewer.accountId, input.effective_date || undefined));
    },
  }),
  post('/api/v1/fieldfare/admin/terms_of_service/:date/announce', {
    summary: 'Mail a version to all users who were active in the last year, once',
    ...writeAccess,
    params: Type.Object({ date: Type.String() }),
    response: TermsVersion,
    async handle({ app, viewer, params: { date } }) {
      await announceTermsOfService(app, viewer.accountId, date);
      return requireVersion(app, date);
    },
  }),
];

async function presentDraft(app: App): Promise<TermsDraftEntity> {
  const draft = await findTermsDraft(app);
  if (draft === undefined) throw notFound();
  const { content, changelog, effectiveDate: day } = draft;
  return { content, changelog, effective_date: day };
}

async function requireVersion(app: App, date: string): Promise<TermsVersion> {
  const version = await findTermsOfService(app, date);
  if (version === undefined) throw notFound();
  return presentVersion(version);
}

const presentVersion = (version: TermsOfService): TermsVersion => ({
  effective_date: version.effectiveDate,
  content: version.content,
  changelog: version.changelog,
  effective: version.isEffective,
  succeeded_by: version.succeededBy,
  announced: version.isAnnounced,
});
