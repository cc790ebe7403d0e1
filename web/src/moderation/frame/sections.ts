import type { FieldfareAdminCounts } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { can, type Permission } from '../../session/permissions.ts';

/** A page of moderation. */
export interface Section {
  readonly path: string;
  readonly label: string;
  /** What it is for. */
  readonly hint: string;
  /** How much waits there. */
  readonly waiting?: Waiting | undefined;
}

/** A number of what waits. */
export interface Waiting {
  readonly count: keyof FieldfareAdminCounts;
  /** Of the number. */
  readonly label: string;
  /** The part of the page that the number counts. */
  readonly query?: string;
}

/** Pages of moderation that belong together. */
export interface SectionGroup {
  readonly label: string;
  readonly sections: readonly Section[];
}

const section = (permission: Permission, name: string, label: string, hint: string): Section | undefined =>
  can(permission) ? { path: `/moderation/${name}`, label, hint, waiting: findWaiting(name) } : undefined;

/** Returns what is counted in a section; undefined for most. */
function findWaiting(name: string): Waiting | undefined {
  switch (name) {
    case 'reports':
      return { count: 'reports', label: t('desk.reports') };
    case 'held-posts':
      return { count: 'held_posts', label: t('desk.heldPosts') };
    case 'sign-ups':
      return { count: 'sign_ups', label: t('desk.signUps') };
    case 'appeals':
      return { count: 'appeals', label: t('desk.appeals') };
    case 'trends':
      return { count: 'trends', label: t('desk.trends') };
    case 'jobs':
      return { count: 'failed_jobs', label: t('desk.failedJobs'), query: '?state=exhausted' };
    case 'federation':
      return { count: 'failing_hosts', label: t('desk.failingHosts') };
    default:
      return undefined;
  }
}

/** Returns the pages that the role of the signed-in account may use. */
export function sectionGroups(): readonly SectionGroup[] {
  const groups = [
    { label: t('moderation.groupPeople'), sections: peopleSections() },
    { label: t('moderation.groupOversight'), sections: oversightSections() },
    { label: t('moderation.groupServers'), sections: serverSections() },
    { label: t('moderation.groupSite'), sections: siteSections() },
  ];
  return groups
    .map(({ label, sections }) => ({ label, sections: sections.filter((one) => one !== undefined) }))
    .filter(({ sections }) => sections.length > 0);
}

const peopleSections = () => [
  section('manage_reports', 'reports', t('sections.reports'), t('sections.reportsHint')),
  section('manage_reports', 'held-posts', t('sections.heldPosts'), t('sections.heldPostsHint')),
  section('manage_users', 'accounts', t('sections.accounts'), t('sections.accountsHint')),
  section('manage_users', 'sign-ups', t('sections.signUps'), t('sections.signUpsHint')),
  section('manage_appeals', 'appeals', t('sections.appeals'), t('sections.appealsHint')),
];

const oversightSections = () => [
  section('manage_taxonomies', 'trends', t('sections.trends'), t('sections.trendsHint')),
  section('manage_rules', 'automatic-rules', t('sections.automaticRules'), t('sections.automaticRulesHint')),
  section('view_audit_log', 'audit-log', t('sections.auditLog'), t('sections.auditLogHint')),
  section('view_devops', 'jobs', t('sections.jobs'), t('sections.jobsHint')),
];

const serverSections = () => [
  section('manage_federation', 'domain-blocks', t('sections.domainBlocks'), t('sections.domainBlocksHint')),
  section('manage_federation', 'domain-allows', t('sections.domainAllows'), t('sections.domainAllowsHint')),
  section('manage_federation', 'domain-lists', t('sections.domainLists'), t('sections.domainListsHint')),
  section('manage_federation', 'federation', t('sections.federation'), t('sections.federationHint')),
  section('manage_federation', 'relays', t('sections.relays'), t('sections.relaysHint')),
  section('manage_federation', 'providers', t('sections.providers'), t('sections.providersHint')),
  section('manage_blocks', 'email-domains', t('sections.emailDomains'), t('sections.emailDomainsHint')),
  section('manage_blocks', 'email-addresses', t('sections.emailAddresses'), t('sections.emailAddressesHint')),
  section('manage_blocks', 'ip-blocks', t('sections.ipBlocks'), t('sections.ipBlocksHint')),
  section('manage_blocks', 'usernames', t('sections.usernames'), t('sections.usernamesHint')),
];

const siteSections = () => [
  section('manage_settings', 'settings', t('sections.settings'), t('sections.settingsHint')),
  section('manage_rules', 'rules', t('sections.rules'), t('sections.rulesHint')),
  section('manage_settings', 'texts', t('sections.texts'), t('sections.textsHint')),
  section('manage_settings', 'images', t('sections.images'), t('sections.imagesHint')),
  section('manage_announcements', 'announcements', t('sections.announcements'), t('sections.announcementsHint')),
  section('manage_custom_emojis', 'emojis', t('sections.emojis'), t('sections.emojisHint')),
  section('manage_roles', 'roles', t('sections.roles'), t('sections.rolesHint')),
  section('manage_invites', 'invites', t('sections.invites'), t('sections.invitesHint')),
  section('manage_webhooks', 'webhooks', t('sections.webhooks'), t('sections.webhooksHint')),
  section('manage_settings', 'warning-presets', t('sections.warningPresets'), t('sections.warningPresetsHint')),
];
