import { findLocalAccount } from '../accounts/find/index.ts';
import { presentAccounts } from '../accounts/present/index.ts';
import type { Account } from '../accounts/index.ts';
import { currentCampaign } from '../annual-reports/index.ts';
import type { App } from '../platform/app.ts';
import { LoadingCache } from '../platform/caching/cache.ts';
import { evictAll } from '../platform/caching/cache-reactions.ts';
import { asciiJson, JsonText } from '../platform/http/http-response.ts';
import { currentTermsOfService } from '../site/terms/index.ts';
import { listRules, type SiteRule } from '../site/rules/index.ts';
import { siteSettings, siteSettingsChanged, vapidKeys, type SiteSettings } from '../site/index.ts';
import { canTranslate } from '../translation/index.ts';
import { mayInvite } from '../users/invites/index.ts';
import { loadIcons, loadThumbnail } from './images/site-images.ts';
import { instanceStats } from './instance-stats.ts';
import { accountLimits, sharedLimits } from './limits.ts';
import type { Instance, InstanceV1 } from './schema.ts';
import { apiVersion, fieldfareFeatures, versionForClients } from './versions.ts';

/** Rendered JSON, the same for every viewer: apps request it at each start. */
export const textsCache = new LoadingCache<'v1' | 'v2', JsonText<never>>({
  name: 'instance.texts',
  maxSize: 2,
  ttlMs: 60_000,
  load: async (app, version) =>
    new JsonText(asciiJson(version === 'v1' ? await buildInstanceV1(app) : await buildInstanceV2(app))),
  evictOn: [evictAll(siteSettingsChanged)],
});

/** Returns the response of GET /api/v2/instance. Changed settings, rules and terms show at once, counts within a minute. */
export const presentInstance = (app: App): Promise<JsonText<Instance>> => textsCache.get(app, 'v2');

/** Returns the response of GET /api/v1/instance. */
export const presentInstanceV1 = (app: App): Promise<JsonText<InstanceV1>> => textsCache.get(app, 'v1');

/** Renders a rule as entity Rule. */
export function presentRule({ id, text, hint, translations }: SiteRule) {
  return { id, text, hint, translations: { ...translations } };
}

async function buildInstanceV2(app: App): Promise<Instance> {
  const { config } = app;
  const site = await siteSettings(app);
  const [stats, rules, contact, vapid, terms, campaign, thumbnail, icon] = await Promise.all([
    instanceStats(app),
    listRules(app),
    presentContactAccount(app, site),
    vapidKeys(app),
    currentTermsOfService(app),
    currentCampaign(app),
    loadThumbnail(app),
    loadIcons(app),
  ]);
  return {
    domain: config.domain,
    title: site.title,
    version: versionForClients,
    source_url: site.sourceUrl,
    description: site.description,
    wrapstodon: campaign ?? null,
    usage: { users: { active_month: config.LIMITED_FEDERATION ? 0 : stats.activeMonth } },
    thumbnail,
    icon,
    languages: [...site.languages],
    configuration: buildConfiguration(app, site, { vapidKey: vapid.publicKey, hasTerms: terms !== undefined }),
    registrations: buildRegistrations(app, site),
    api_versions: { mastodon: apiVersion, fieldfare: fieldfareFeatures.length },
    contact: { email: site.contactEmail, account: contact },
    rules: rules.map(presentRule),
  };
}

function buildConfiguration(
  app: App,
  site: SiteSettings,
  { vapidKey, hasTerms }: { readonly vapidKey: string; readonly hasTerms: boolean },
): Instance['configuration'] {
  const { config } = app;
  const topics = { local: site.localTopicFeedAccess, remote: site.remoteTopicFeedAccess };
  const { media_attachments, ...limits } = mutableLimits(sharedLimits);
  return {
    urls: {
      streaming: streamingUrl(app),
      status: null,
      about: `${config.baseUrl}/about`,
      privacy_policy: `${config.baseUrl}/privacy-policy`,
      terms_of_service: hasTerms ? `${config.baseUrl}/terms-of-service` : null,
    },
    vapid: { public_key: vapidKey },
    accounts: accountLimits,
    ...limits,
    media_attachments: { ...media_attachments, description_limit: config.MEDIA_DESCRIPTION_LIMIT },
    translation: { enabled: canTranslate(app) },
    timelines_access: {
      live_feeds: { local: site.localLiveFeedAccess, remote: site.remoteLiveFeedAccess },
      hashtag_feeds: topics,
      trending_link_feeds: topics,
    },
    limited_federation: config.LIMITED_FEDERATION,
  };
}

function buildRegistrations({ config }: App, site: SiteSettings): Instance['registrations'] {
  const message = site.registrations === 'open' || site.registrationsMessage === '' ? null : site.registrationsMessage;
  return {
    enabled: site.registrations !== 'closed',
    approval_required: needsApproval(site),
    reason_required: site.registrations === 'approval',
    message,
    min_age: null,
    // Apps open it where they cannot sign people up themselves.
    url: config.SIGN_IN === 'oidc' ? `${config.baseUrl}/auth/sign_up` : null,
    fieldfare: {
      challenge_url: site.signUpProofOfWork === 'off' ? null : `${config.baseUrl}/api/v1/fieldfare/sign_up_challenge`,
    },
  };
}

/** Whether staff approve the sign-ups of an app that does not know `challenge_url`. */
const needsApproval = ({ registrations, signUpProofOfWork }: SiteSettings): boolean =>
  registrations === 'approval' || (registrations === 'open' && signUpProofOfWork !== 'off');

async function buildInstanceV1(app: App): Promise<InstanceV1> {
  const { config } = app;
  const site = await siteSettings(app);
  const [stats, rules, contact, thumbnail, invitesEnabled] = await Promise.all([
    instanceStats(app),
    listRules(app),
    presentContactAccount(app, site),
    loadThumbnail(app),
    mayInvite(app),
  ]);
  return {
    uri: config.domain,
    title: site.title,
    short_description: site.description,
    description: site.extendedDescription,
    email: site.contactEmail,
    version: versionForClients,
    urls: { streaming_api: streamingUrl(app) },
    stats: { user_count: stats.userCount, status_count: stats.statusCount, domain_count: stats.domainCount },
    thumbnail: thumbnail.url,
    languages: [...site.languages],
    registrations: site.registrations !== 'closed',
    approval_required: needsApproval(site),
    invites_enabled: invitesEnabled,
    configuration: { accounts: { max_featured_tags: accountLimits.max_featured_tags }, ...mutableLimits(sharedLimits) },
    contact_account: contact,
    rules: rules.map(presentRule),
  };
}

async function presentContactAccount(app: App, { contactUsername }: SiteSettings): Promise<Account | null> {
  const account = contactUsername === '' ? undefined : await findLocalAccount(app, contactUsername);
  const [presented] = account === undefined ? [] : await presentAccounts(app, undefined, [account.id]);
  return presented?.parse() ?? null;
}

/** Has no path: clients append /api/v1/streaming (clients.md, row 10). */
function streamingUrl({ config }: App): string {
  return (config.STREAMING_BASE_URL ?? config.baseUrl).replace(/^http/, 'ws').replace(/\/$/, '');
}

const mutableLimits = (limits: typeof sharedLimits) => ({
  ...limits,
  statuses: { ...limits.statuses, supported_mime_types: [...limits.statuses.supported_mime_types] },
  media_attachments: {
    ...limits.media_attachments,
    supported_mime_types: [...limits.media_attachments.supported_mime_types],
  },
});
