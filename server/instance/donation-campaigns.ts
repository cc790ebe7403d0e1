import type { App } from '../platform/app.ts';
import { LoadingCache, Cache } from '../platform/caching/cache.ts';
import type { CurrentUser } from '../platform/http/routes.ts';
import { OutgoingError } from '../platform/outgoing/outgoing.ts';
import { parseJson } from '../text/index.ts';
import { loadUser } from '../users/index.ts';

const maxResponseBytes = 16_384;
const timeoutMs = 3_000;
/** Users are divided into as many groups, for which the service may have different campaigns. */
const groupCount = 100n;

interface Group {
  readonly seed: string;
  readonly locale: string;
}

/** The members are those of the service. */
type Campaign = Record<string, unknown>;

export const campaignCache = new LoadingCache<string, { readonly campaign: Campaign | undefined }>({
  name: 'instance.donation_campaigns',
  maxSize: 1_000,
  ttlMs: 3_600_000,
  load: async (app, key) => ({ campaign: await fetchCampaign(app, JSON.parse(key)) }),
});

/** Set while the service fails, so that nobody waits for it, and it gets few requests. */
export const failureCache = new Cache<'service', true>({
  name: 'instance.donation_failures',
  maxSize: 1,
  ttlMs: 60_000,
});

/**
 * Returns the donation campaign for a viewer; undefined if there is none, no service is configured, or it fails. Only the
 * viewer who needs a new campaign waits for the service, for three seconds at most.
 */
export async function findDonationCampaign(app: App, viewer: CurrentUser): Promise<Campaign | undefined> {
  if (app.config.DONATION_CAMPAIGNS_URL === undefined || failureCache.peek(app, 'service') === true) return undefined;
  const user = await loadUser(app, viewer.userId);
  const group: Group = { seed: String(BigInt(viewer.accountId) % groupCount), locale: user.locale };
  try {
    return (await campaignCache.get(app, JSON.stringify(group))).campaign;
  } catch (error) {
    if (!(error instanceof OutgoingError || error instanceof InvalidCampaign)) throw error;
    app.log.warn({ err: error }, 'the service of donation campaigns failed');
    failureCache.set(app, 'service', true);
    return undefined;
  }
}

class InvalidCampaign extends Error {
  override name = 'InvalidCampaign';
}

async function fetchCampaign({ config, outgoing }: App, { seed, locale }: Group): Promise<Campaign | undefined> {
  const url = new URL(config.DONATION_CAMPAIGNS_URL ?? '');
  const environment = config.DONATION_CAMPAIGNS_ENVIRONMENT;
  const query = { platform: 'web', seed, locale, ...(environment !== undefined && { environment }) };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await outgoing.request(url.href, { maxBytes: maxResponseBytes, timeoutMs, trusted: true });
  if (response.status === 204 || response.status === 404) return undefined;
  if (response.status !== 200) throw new InvalidCampaign(`status ${response.status}`);
  return parseCampaign(response.body.toString('utf8'));
}

function parseCampaign(text: string): Campaign {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidCampaign('the response is not a JSON object');
  return value as Campaign;
}
