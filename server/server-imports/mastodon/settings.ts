import { sanitizeHtml } from '../../text/index.ts';
import { formatMarkdown } from '../../text/format/index.ts';
import { textOf, type TableImport } from '../table-import.ts';
import type { SiteAddress } from './site-address.ts';

/** Returns the HTML of a text in Markdown by staff. */
export const staffMarkdown = (site: SiteAddress, text: string): string =>
  formatMarkdown(text, {
    mentions: new Map(),
    hashtagUrl: (name) => `${site.baseUrl}/tags/${encodeURIComponent(name)}`,
  });

const clean = (text: string): string => text.slice(0, 100_000);
const isTrue = (value: string): boolean => value === 'true';

/** Words before 4.5 are those of `timeline_preview`. */
const audienceOf = (value: string): string =>
  ({ public: 'public', true: 'public', disabled: 'disabled' })[value] ?? 'authenticated';

/** Ten years at most. */
const daysOf = (value: string): number => Math.min(Math.max(Number.parseInt(value, 10) || 0, 0), 3_650);

const handlesOf = (value: string): readonly string[] =>
  value
    .split(/[\s,]+/)
    .map((handle) => handle.replace(/^@/, ''))
    .filter((handle) => handle !== '' && handle.length <= 320)
    .slice(0, 30);

/** Our setting for each of Mastodon's, and how its value changes. */
const settings: Readonly<
  Record<string, { readonly name: string; readonly convert?: (value: string, site: SiteAddress) => unknown }>
> = {
  site_title: { name: 'title' },
  site_short_description: { name: 'description', convert: (value) => value.slice(0, 200) },
  site_extended_description: {
    name: 'extendedDescription',
    convert: (value, site) => clean(staffMarkdown(site, value)),
  },
  site_terms: { name: 'privacyPolicy', convert: (value, site) => clean(staffMarkdown(site, value)) },
  site_contact_email: { name: 'contactEmail' },
  site_contact_username: { name: 'contactUsername', convert: (value) => value.replace(/^@/, '').split('@', 1)[0] },
  registrations_mode: {
    name: 'registrations',
    convert: (value) => ({ open: 'open', approved: 'approval' })[value] ?? 'closed',
  },
  closed_registrations_message: { name: 'registrationsMessage', convert: (value) => sanitizeHtml(value) },
  // hCaptcha is a service of others.
  captcha_enabled: { name: 'signUpProofOfWork', convert: (value) => (isTrue(value) ? 'easy' : 'off') },
  custom_css: { name: 'customCss', convert: clean },
  show_domain_blocks: { name: 'showDomainBlocks' },
  show_domain_blocks_rationale: { name: 'showDomainBlockReasons' },
  peers_api_enabled: { name: 'showPeers', convert: isTrue },
  activity_api_enabled: { name: 'showActivity', convert: isTrue },
  trends: { name: 'showTrends', convert: isTrue },
  wrapstodon: { name: 'annualReports', convert: isTrue },
  bootstrap_timeline_accounts: { name: 'suggestedAccounts', convert: handlesOf },
  local_live_feed_access: { name: 'localLiveFeedAccess', convert: audienceOf },
  remote_live_feed_access: { name: 'remoteLiveFeedAccess', convert: audienceOf },
  local_topic_feed_access: {
    name: 'localTopicFeedAccess',
    convert: (value) => (value === 'public' ? 'public' : 'authenticated'),
  },
  remote_topic_feed_access: { name: 'remoteTopicFeedAccess', convert: audienceOf },
  content_cache_retention_period: { name: 'remotePostRetentionDays', convert: daysOf },
  media_cache_retention_period: { name: 'remoteMediaRetentionDays', convert: daysOf },
};

/** What versions before 4.5 have in place of the first two settings of feeds. */
const feedSettings = ['local_live_feed_access', 'remote_live_feed_access'];
const preview = 'timeline_preview';

/** Settings of the site. */
export function settingsTable(site: SiteAddress): TableImport {
  const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
  return {
    name: 'site settings',
    from: 'settings',
    into: 'site_settings',
    leftOut: {
      'settings that Fieldfare does not have': `s.var not in (${list([...Object.keys(settings), preview])})`,
      'replaced by newer settings': `s.var = '${preview}' and exists (select from settings o where o.var in (${list(feedSettings)}))`,
      empty: `s.value is null or btrim(s.value, E'- \\n''"') = '' or s.value !~ '^---( |\\n)'`,
    },
    join: `cross join lateral unnest(case s.var when '${preview}' then array[${list(feedSettings)}] else array[s.var::text] end) v(name)`,
    rowsEach: `case s.var when '${preview}' then ${feedSettings.length} else 1 end`,
    replaces: true,
    targetKey: undefined,
    conflictKey: ['name'],
    columns: { name: 'v.name', value: 's.value', updated_at: `coalesce(s.updated_at, now() at time zone 'UTC')` },
    prepare: (row) => {
      const { name, convert = (value: string): unknown => value } = settings[textOf(row, 'name')] ?? { name: '' };
      return { ...row, name, value: convert(parseScalar(textOf(row, 'value')), site) };
    },
  };
}

/**
 * Parses a YAML document of one scalar as Ruby writes it: plain, quoted, or a block (`|`, `>`) whose lines are indented by two
 * spaces.
 */
export function parseScalar(document: string): string {
  const text = document.replace(/^---[ \n]?/, '').replace(/\n(?:\.\.\.\n?)?$/, '');
  const block = /^([|>])(\d?)([+-]?)(\d?)\n/.exec(text);
  if (block !== null) {
    const lines = text.slice(block[0].length).replace(/\n+$/, '').split('\n');
    return lines.map((line) => line.replace(/^ {2}/, '')).join(block[1] === '|' ? '\n' : ' ');
  }
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text.startsWith('"')) {
    // Ruby folds long lines at spaces, with a backslash before a break in the middle of a word.
    const joined = text.replaceAll(/\\\n\s*/g, '').replaceAll(/\n\s*/g, ' ');
    try {
      return String(JSON.parse(joined.replaceAll(/\\([^"\\/bfnrtu])/g, '$1')));
    } catch {
      return joined.slice(1, -1);
    }
  }
  return text.replaceAll(/\n\s*/g, ' ');
}
