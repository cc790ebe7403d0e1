import { Type, type Static, type TSchema } from 'typebox';
import type { App } from '../platform/app.ts';
import { Answer, empty, type JsonText } from '../platform/http/answers.ts';
import { notFound } from '../platform/http/problems.ts';
import { get } from '../platform/http/routes.ts';
import {
  currentTermsOfService,
  listRules,
  listTermsOfService,
  siteSettings,
  type TermsOfService,
} from '../site/index.ts';
import { languages } from '../text/index.ts';
import { translationLanguages } from '../translation/index.ts';
import { listActivity } from './activity.ts';
import { listDomainBlocks } from './domain-blocks.ts';
import { findPeers, listPeers } from './peers.ts';
import { presentInstance, presentInstanceV1, presentRule } from './present-instance.ts';
import * as shapes from './schema.ts';

/** Instance data may be kept for five minutes by anybody (errors.tsv, header Cache-Control). */
const cachedByAll = { 'cache-control': 'public, max-age=300, stale-while-revalidate=30, stale-if-error=86400' };
const cachedForDay = { 'cache-control': 'public, max-age=86400, stale-while-revalidate=30, stale-if-error=86400' };

/** A route that everybody may ask, whatever the mode of the server, and keep for some minutes. */
function open<Response extends TSchema>(
  path: string,
  summary: string,
  response: Response,
  answer: (app: App) => Promise<Static<Response> | JsonText<Static<Response>>> | Static<Response>,
) {
  return get(path, {
    summary,
    access: 'anyone',
    evenLimited: true,
    response,
    handle: async ({ app }) => new Answer({ json: await answer(app), headers: cachedByAll }),
  });
}

export const routes = [
  open('/api/v2/instance', 'What this server is, offers and allows', shapes.Instance, presentInstance),
  get('/api/v1/instance', {
    summary: 'What this server is, in the form of old apps',
    access: 'anyone',
    evenLimited: true,
    deprecatedSince: '2022-11-14',
    response: shapes.InstanceV1,
    handle: async ({ app }) => new Answer({ json: await presentInstanceV1(app), headers: cachedByAll }),
  }),
  open('/api/v1/instance/rules', 'The rules of this server', Type.Array(shapes.Rule), async (app) =>
    (await listRules(app)).map(presentRule),
  ),
  open(
    '/api/v1/instance/extended_description',
    'What its people write about this server',
    shapes.ExtendedDescription,
    async (app) => {
      const { extendedDescription, extendedDescriptionUpdatedAt } = await siteSettings(app);
      return { updated_at: extendedDescriptionUpdatedAt?.toISOString() ?? null, content: extendedDescription };
    },
  ),
  open('/api/v1/instance/privacy_policy', 'The privacy policy', shapes.PrivacyPolicy, async (app) => {
    const { privacyPolicy, privacyPolicyUpdatedAt } = await siteSettings(app);
    return { updated_at: (privacyPolicyUpdatedAt ?? stockTextDate).toISOString(), content: privacyPolicy };
  }),
  get('/api/v1/instance/terms_of_service', {
    summary: 'The terms of service that apply today; 404 if there are none',
    access: 'anyone',
    evenLimited: true,
    response: shapes.TermsOfService,
    handle: async ({ app }) => termsAnswer(await currentTermsOfService(app)),
  }),
  get('/api/v1/instance/terms_of_service/:date', {
    summary: 'The terms of service that apply from a date on; 404 if there are none',
    access: 'anyone',
    evenLimited: true,
    params: Type.Object({ date: Type.String() }),
    response: shapes.TermsOfService,
    handle: async ({ app, params }) =>
      termsAnswer((await listTermsOfService(app)).find(({ effectiveDate }) => effectiveDate === params.date)),
  }),
  open('/api/v1/instance/languages', 'The languages that a post may name', Type.Array(shapes.Language), () => [
    ...languages,
  ]),
  open(
    '/api/v1/instance/translation_languages',
    'Languages that posts can be translated to, by the language they are in',
    Type.Record(Type.String(), Type.Array(Type.String())),
    translationLanguages,
  ),
  get('/api/v1/instance/peers', {
    summary: 'The domains of the servers that this one knows',
    access: 'anyone',
    evenLimited: true,
    response: Type.Array(Type.String()),
    async handle({ app }) {
      if (!(await tells(app, 'showPeers'))) return empty(404);
      return new Answer({ json: await listPeers(app), headers: cachedForDay });
    },
  }),
  get('/api/v1/instance/activity', {
    summary: 'How much happened here in the last twelve weeks',
    access: 'anyone',
    evenLimited: true,
    response: Type.Array(shapes.InstanceActivity),
    async handle({ app }) {
      if (!(await tells(app, 'showActivity'))) return empty(404);
      return new Answer({ json: await listActivity(app), headers: cachedForDay });
    },
  }),
  get('/api/v1/instance/domain_blocks', {
    summary: 'The servers that this one limits or blocks, where staff show them',
    access: 'anyone',
    evenLimited: true,
    response: Type.Array(shapes.DomainBlock),
    async handle({ app, viewer }) {
      return (await listDomainBlocks(app, viewer !== undefined)) ?? empty(404);
    },
  }),
  get('/api/v1/peers/search', {
    summary: 'Up to ten known servers whose domain begins with a text',
    access: 'anyone',
    input: Type.Object({ q: Type.Optional(Type.String()) }),
    response: Type.Array(Type.String()),
    async handle({ app, input }) {
      if (!(await tells(app, 'showPeers'))) return empty(404);
      return new Answer({ json: await findPeers(app, input.q ?? ''), headers: cachedByAll });
    },
  }),
];

function termsAnswer(terms: TermsOfService | undefined): Answer {
  if (terms === undefined) throw notFound('Not Found');
  const { effectiveDate, isEffective, content, succeededBy } = terms;
  const json = { effective_date: effectiveDate, effective: isEffective, content, succeeded_by: succeededBy };
  return new Answer({ json, headers: cachedByAll });
}

/** When the stock privacy policy was last written. */
const stockTextDate = new Date('2026-11-21T00:00:00.000Z');

/** Whether staff let this be told, which in limited federation nobody may. */
async function tells(app: App, setting: 'showPeers' | 'showActivity'): Promise<boolean> {
  return !app.config.LIMITED_FEDERATION && (await siteSettings(app))[setting];
}
