import type { AdminScene } from './admin-scene.ts';
import type { LoadRequest } from '../load.ts';

/** A list, report page or measure for staff, with a filter. */
export interface AdminCase {
  readonly name: string;
  readonly request: LoadRequest;
}

const dayMs = 86_400_000;

/** Returns a request of each list with each of its filters, and of each measure. */
export function buildAdminCases(scene: AdminScene): AdminCase[] {
  return [
    ...buildAccountCases(scene),
    ...buildReportCases(scene),
    ...buildOtherLists(scene),
    ...buildMeasureCases(scene),
  ];
}

/** Returns a case of a list without a filter, and one with each of these. */
const casesOf = (name: string, path: string, queries: readonly string[] = []): AdminCase[] =>
  ['', ...queries].map((query) => ({
    name: query === '' ? name : `${name}, ${query.replaceAll(/\d{9,}/g, 'ID')}`,
    request: { method: 'GET', path: query === '' ? path : `${path}?${query}` },
  }));

function buildAccountCases({ domain, accountId }: AdminScene): AdminCase[] {
  const texts = [
    'username=admin12',
    'username=nobody',
    'display_name=person%2045',
    `by_domain=${domain}`,
    'by_domain=admin0.bench.test',
    'email=admin12',
    'email=%25mail42.bench',
    'email=%25nowhere',
    'ip=10.17.1.0/24',
    'ip=10.17.1.12',
    'ip=192.0.2.1',
  ];
  const states = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'];
  return [
    ...casesOf('v1 accounts', '/api/v1/admin/accounts', [
      'remote=1',
      'staff=1',
      ...states.map((state) => `${state}=1`),
      ...texts,
    ]),
    ...casesOf('v2 accounts', '/api/v2/admin/accounts', [
      'origin=local',
      'origin=remote',
      ...states.map((state) => `status=${state}`),
      ...states.map((state) => `origin=remote&status=${state}`),
      'permissions=staff',
      'role_ids[]=1',
      `invited_by=${accountId}`,
      'limit=200',
      ...texts,
      'origin=local&status=pending&username=admin1',
      `origin=remote&status=suspended&by_domain=${domain}`,
      `max_id=${accountId}`,
    ]),
    ...casesOf('one account', `/api/v1/admin/accounts/${accountId}`),
    ...casesOf('strikes', `/api/v1/fieldfare/admin/accounts/${accountId}/strikes`),
    ...casesOf('notes', `/api/v1/fieldfare/admin/accounts/${accountId}/notes`),
  ];
}

const buildReportCases = ({ accountId, staffId, reportId }: AdminScene): AdminCase[] => [
  ...casesOf('reports', '/api/v1/admin/reports', [
    'resolved=true',
    'resolved=true&unresolved=true',
    `account_id=${accountId}`,
    `target_account_id=${accountId}`,
    `resolved=true&target_account_id=${accountId}`,
    `resolved=true&account_id=${staffId}`,
    'limit=200&resolved=true',
    `resolved=true&max_id=${reportId}`,
    'category=legal',
    'resolved=true&category=legal',
    'resolved=true&unresolved=true&category=violation',
    'origin=remote',
    'resolved=true&origin=remote',
    'resolved=true&origin=local',
    'assigned=me',
    'assigned=nobody',
    'resolved=true&assigned=me',
    'resolved=true&assigned=nobody',
    'resolved=true&category=legal&origin=remote&assigned=me',
    `resolved=true&target_account_id=${accountId}&category=legal`,
  ]),
  ...casesOf('one report', `/api/v1/admin/reports/${reportId}`),
  ...casesOf('posts of a report', `/api/v1/fieldfare/admin/reports/${reportId}/statuses`),
  ...casesOf('notes of a report', `/api/v1/fieldfare/admin/reports/${reportId}/notes`),
];

const buildOtherLists = ({ staffId, accountId }: AdminScene): AdminCase[] => [
  ...casesOf('audit log', '/api/v1/fieldfare/admin/audit_log', [
    `staff_id=${staffId}`,
    'action=rule.create',
    'action=unknown',
    'target_type=report',
    'target_type=unknown',
    `target_type=account&target_id=${accountId}`,
    `target_id=${accountId}`,
    `staff_id=${staffId}&action=account.delete`,
    `staff_id=${staffId}&action=unknown`,
    `staff_id=${staffId}&target_type=rule`,
  ]),
  ...casesOf('appeals', '/api/v1/fieldfare/admin/appeals', [
    'state=approved',
    'state=rejected',
    'state=pending&limit=200',
  ]),
  ...casesOf('domain blocks', '/api/v1/admin/domain_blocks', ['limit=500']),
  ...casesOf('domain allows', '/api/v1/admin/domain_allows', ['limit=500']),
  ...casesOf('domain lists', '/api/v1/fieldfare/admin/domain_lists'),
  ...casesOf('e-mail domain blocks', '/api/v1/admin/email_domain_blocks', ['limit=200']),
  ...casesOf('canonical e-mail blocks', '/api/v1/admin/canonical_email_blocks', ['limit=200']),
  ...casesOf('IP blocks', '/api/v1/admin/ip_blocks', ['limit=200']),
  ...casesOf('hashtags', '/api/v1/admin/tags', ['limit=200']),
  ...casesOf('trending links', '/api/v1/admin/trends/links'),
  ...casesOf('trending posts', '/api/v1/admin/trends/statuses'),
  ...casesOf('trending hashtags', '/api/v1/admin/trends/tags'),
  ...casesOf('publishers', '/api/v1/admin/trends/links/publishers'),
  ...casesOf('announcements', '/api/v1/fieldfare/admin/announcements'),
  ...casesOf('warning presets', '/api/v1/fieldfare/admin/warning_presets'),
  ...casesOf('relays', '/api/v1/fieldfare/admin/relays'),
  ...casesOf('rules', '/api/v1/fieldfare/admin/rules'),
];

function buildMeasureCases({ tagId, domain }: AdminScene): AdminCase[] {
  const of = (days: number) => ({
    start_at: new Date(Date.now() - days * dayMs).toISOString(),
    end_at: new Date().toISOString(),
  });
  const post = (name: string, path: string, body: object): AdminCase => ({
    name,
    request: { method: 'POST', path: `/api/v1/admin/${path}`, body: JSON.stringify(body) },
  });
  const keyed = (path: string, key: string, days: number): AdminCase =>
    post(`${path}, ${key}, ${days} days`, path, {
      keys: [key],
      ...of(days),
      ...(key.startsWith('tag_') && { [key]: { id: tagId } }),
      ...(key.startsWith('instance_') && { [key]: { domain } }),
    });
  return [
    ...measureKeys.flatMap((key) => [30, 730].map((days) => keyed('measures', key, days))),
    ...dimensionKeys.flatMap((key) => [30, 730].map((days) => keyed('dimensions', key, days))),
    post('retention, 90 daily cohorts', 'retention', { frequency: 'day', ...of(90) }),
    post('retention, 24 monthly cohorts', 'retention', { frequency: 'month', ...of(730) }),
  ];
}

const measureKeys = [
  'active_users',
  'new_users',
  'interactions',
  'opened_reports',
  'resolved_reports',
  'tag_accounts',
  'tag_uses',
  'tag_servers',
  'instance_accounts',
  'instance_media_attachments',
  'instance_reports',
  'instance_statuses',
  'instance_follows',
  'instance_followers',
];

const dimensionKeys = [
  'languages',
  'sources',
  'servers',
  'space_usage',
  'software_versions',
  'tag_servers',
  'tag_languages',
  'instance_accounts',
  'instance_languages',
];
