import { Type } from 'typebox';
import { chooseLocale, type Locale } from '../platform/i18n/locales.ts';
import { clampLimit } from '../platform/http/pages.ts';
import { post, type Caller, type RequestContext, type Route } from '../platform/http/routes.ts';
import { uncheckedIdSchema } from '../platform/id-schema.ts';
import { parseTime } from '../text/times/index.ts';
import { toDay, addDays } from './days.ts';
import { defaultDimensionLimit, maxDimensionLimit } from './limits.ts';
import { parseCohortRange, parseRange } from './range.ts';
import { parseKeys } from './read/key-params.ts';
import { loadDimensions } from './read/load-dimensions.ts';
import { loadMeasures } from './read/load-measures.ts';
import { loadRetention } from './read/load-retention.ts';
import { Cohort, Dimension, Measure } from './schema.ts';

const access = { access: 'staff:view_dashboard', scope: 'admin:read' } as const;
const keys = Type.Array(Type.String(), { description: 'Unknown ones are ignored' });
const time = Type.String({ description: 'A time or a day; the whole day counts (UTC)' });
const ofTag = Type.Optional(Type.Object({ id: Type.Optional(uncheckedIdSchema({ description: 'Of a hashtag' })) }));
const ofDomain = Type.Optional(Type.Object({ domain: Type.Optional(Type.String()) }));
/** The range of dimensions without one. */
const defaultDays = 30;

const localeOf = ({ locale }: Caller, { headers }: RequestContext): Locale =>
  chooseLocale(locale, headers['accept-language']?.toString());

export const routes: readonly Route[] = [
  post('/api/v1/admin/measures', {
    summary:
      'Count activity of the server, a hashtag or another server by day. At most two years; up to five minutes old',
    ...access,
    input: Type.Object({
      keys,
      start_at: time,
      end_at: time,
      tag_accounts: ofTag,
      tag_uses: ofTag,
      tag_servers: ofTag,
      instance_accounts: ofDomain,
      instance_media_attachments: ofDomain,
      instance_reports: ofDomain,
      instance_statuses: ofDomain,
      instance_follows: ofDomain,
      instance_followers: ofDomain,
    }),
    response: Type.Array(Measure),
    handle: ({ app, caller, request, input: { keys: names, start_at: startAt, end_at: endAt, ...params } }) =>
      loadMeasures(app, {
        keys: parseKeys(names),
        range: parseRange(startAt, endAt),
        params,
        locale: localeOf(caller, request),
      }),
  }),

  post('/api/v1/admin/dimensions', {
    summary: 'List the most frequent languages, servers and the like. At most two years; up to five minutes old',
    ...access,
    input: Type.Object({
      keys,
      start_at: Type.Optional(time),
      end_at: Type.Optional(time),
      limit: Type.Optional(
        Type.Integer({ description: `${defaultDimensionLimit} when not given, at most ${maxDimensionLimit}` }),
      ),
      tag_servers: ofTag,
      tag_languages: ofTag,
      instance_accounts: ofDomain,
      instance_languages: ofDomain,
    }),
    response: Type.Array(Dimension),
    handle: ({ app, caller, request, input }) => {
      const { keys: names, start_at: start, end_at: end, limit, ...params } = input;
      const endAt = end ?? app.clock.now().toISOString();
      return loadDimensions(app, {
        keys: parseKeys(names),
        range: parseRange(start ?? dayBefore(endAt), endAt),
        limit: clampLimit(limit, { defaultLimit: defaultDimensionLimit, maxLimit: maxDimensionLimit }),
        params,
        locale: localeOf(caller, request),
      });
    },
  }),

  post('/api/v1/admin/retention', {
    summary: 'Count users by the day or month of their sign-up, and how many of them are still active',
    ...access,
    input: Type.Object({
      start_at: time,
      end_at: Type.String({ description: 'Up to 92 days later for days, two years for months' }),
      frequency: Type.Enum(['day', 'month']),
    }),
    response: Type.Array(Cohort),
    handle: ({ app, input: { start_at: startAt, end_at: endAt, frequency } }) =>
      loadRetention(app, parseCohortRange(startAt, endAt, frequency), frequency),
  }),
];

/** Returns the start of the default range; an invalid end as it is, which the caller refuses. */
function dayBefore(endAt: string): string {
  const end = parseTime(endAt);
  return end === undefined ? endAt : addDays(toDay(end), 1 - defaultDays);
}
