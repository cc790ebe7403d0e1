import { Type, type Static, type TSchema } from 'typebox';
import type { App } from '../platform/app.ts';
import { HttpResponse, emptyResponse, type JsonText } from '../platform/http/http-response.ts';
import { notFound } from '../platform/http/http-errors.ts';
import { get } from '../platform/http/routes.ts';
import { currentTermsOfService, findTermsOfService, type TermsOfService } from '../site/terms/index.ts';
import { listRules, Rule } from '../site/rules/index.ts';
import { siteSettings } from '../site/index.ts';
import { languages } from '../text/languages/index.ts';
import { translationLanguages } from '../translation/index.ts';
import { listActivity } from './activity.ts';
import { findDonationCampaign } from './donation-campaigns.ts';
import { listDomainBlocks } from './domain-blocks.ts';
import { searchPeers, listPeers } from './peers.ts';
import { presentInstance, presentInstanceV1, presentRule } from './present-instance.ts';
import * as shapes from './schema.ts';

/** Instance data is cacheable for five minutes (reference/errors.tsv, header Cache-Control). */
const publicCacheHeaders = { 'cache-control': 'public, max-age=300, stale-while-revalidate=30, stale-if-error=86400' };
const dailyCacheHeaders = { 'cache-control': 'public, max-age=86400, stale-while-revalidate=30, stale-if-error=86400' };

/** Declares a public, cacheable route, also with limited federation. */
function publicRoute<Response extends TSchema>(
  path: string,
  summary: string,
  response: Response,
  answer: (app: App) => Promise<Static<Response> | JsonText<Static<Response>>> | Static<Response>,
) {
  return get(path, {
    summary,
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    response,
    handle: async ({ app }) => new HttpResponse({ json: await answer(app), headers: publicCacheHeaders }),
  });
}

export const routes = [
  publicRoute(
    '/api/v2/instance',
    'Show the description, configuration and limits of the instance',
    shapes.Instance,
    presentInstance,
  ),
  get('/api/v1/instance', {
    summary: 'Describe the instance for older apps',
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    deprecatedSince: '2022-11-14',
    response: shapes.InstanceV1,
    handle: async ({ app }) => new HttpResponse({ json: await presentInstanceV1(app), headers: publicCacheHeaders }),
  }),
  publicRoute('/api/v1/instance/rules', 'List the rules of the instance', Type.Array(Rule), async (app) =>
    (await listRules(app)).map(presentRule),
  ),
  publicRoute(
    '/api/v1/instance/extended_description',
    'Show the extended description of the instance',
    shapes.ExtendedDescription,
    async (app) => {
      const { extendedDescription, extendedDescriptionUpdatedAt } = await siteSettings(app);
      return { updated_at: extendedDescriptionUpdatedAt?.toISOString() ?? null, content: extendedDescription };
    },
  ),
  publicRoute('/api/v1/instance/privacy_policy', 'Show the privacy policy', shapes.PrivacyPolicy, async (app) => {
    const { privacyPolicy, privacyPolicyUpdatedAt } = await siteSettings(app);
    return { updated_at: (privacyPolicyUpdatedAt ?? defaultPrivacyPolicyDate).toISOString(), content: privacyPolicy };
  }),
  get('/api/v1/instance/terms_of_service', {
    summary: 'Show the terms of service that apply today; 404 if there are none',
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    response: shapes.TermsOfService,
    handle: async ({ app }) => termsResponse(await currentTermsOfService(app)),
  }),
  get('/api/v1/instance/terms_of_service/:date', {
    summary: 'Show the terms of service that apply from a date on; 404 if there are none',
    access: 'anyone',
    openInLimitedFederation: true,
    params: Type.Object({ date: Type.String() }),
    response: shapes.TermsOfService,
    handle: async ({ app, params }) => termsResponse(await findTermsOfService(app, params.date)),
  }),
  publicRoute(
    '/api/v1/instance/languages',
    'List the languages that a post can have',
    Type.Array(shapes.Language),
    () => [...languages],
  ),
  publicRoute(
    '/api/v1/instance/translation_languages',
    'List the target languages of translations, by source language',
    Type.Record(Type.String(), Type.Array(Type.String())),
    translationLanguages,
  ),
  get('/api/v1/instance/peers', {
    summary: 'List the domains of known servers',
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    response: Type.Array(Type.String()),
    async handle({ app }) {
      if (!(await isShown(app, 'showPeers'))) return emptyResponse(404);
      return new HttpResponse({ json: await listPeers(app), headers: dailyCacheHeaders });
    },
  }),
  get('/api/v1/instance/activity', {
    summary: 'Show the weekly activity of the last twelve weeks',
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    response: Type.Array(shapes.InstanceActivity),
    async handle({ app }) {
      if (!(await isShown(app, 'showActivity'))) return emptyResponse(404);
      return new HttpResponse({ json: await listActivity(app), headers: dailyCacheHeaders });
    },
  }),
  get('/api/v1/instance/domain_blocks', {
    summary: 'List the limited and blocked servers, if staff publish them',
    hasEtag: true,
    access: 'anyone',
    openInLimitedFederation: true,
    response: Type.Array(shapes.DomainBlock),
    async handle({ app, viewer }) {
      return (await listDomainBlocks(app, viewer !== undefined)) ?? emptyResponse(404);
    },
  }),
  get('/api/v1/donation_campaigns', {
    summary: 'Show the donation campaign of a configured service, in its format; 204 if there is none',
    access: 'user',
    response: Type.Record(Type.String(), Type.Unknown()),
    otherStatuses: { 204: 'There is no campaign' },
    handle: async ({ app, viewer }) => (await findDonationCampaign(app, viewer)) ?? emptyResponse(204),
  }),
  get('/api/v1/peers/search', {
    summary: 'Find up to ten known servers whose domain starts with a text',
    access: 'anyone',
    input: Type.Object({ q: Type.Optional(Type.String()) }),
    response: Type.Array(Type.String()),
    async handle({ app, input }) {
      if (!(await isShown(app, 'showPeers'))) return emptyResponse(404);
      return new HttpResponse({ json: await searchPeers(app, input.q ?? ''), headers: publicCacheHeaders });
    },
  }),
];

function termsResponse(terms: TermsOfService | undefined): HttpResponse {
  if (terms === undefined) throw notFound('http.notFound');
  const { effectiveDate, isEffective, content, succeededBy } = terms;
  const json = { effective_date: effectiveDate, effective: isEffective, content, succeeded_by: succeededBy };
  return new HttpResponse({ json, headers: publicCacheHeaders });
}

/** When the default privacy policy was last changed. */
const defaultPrivacyPolicyDate = new Date('2026-11-22T00:00:00.000Z');

/** Whether staff publish this data. Limited federation hides it always. */
async function isShown(app: App, setting: 'showPeers' | 'showActivity'): Promise<boolean> {
  return !app.config.LIMITED_FEDERATION && (await siteSettings(app))[setting];
}
