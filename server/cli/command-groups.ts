import type { Command } from 'commander';

/** A command, or the commands that begin with the same word. */
interface CommandGroup {
  readonly name: string;
  readonly description: string;
  /** Loads its code, which imports only the parts of the server that it needs. */
  readonly load: () => Promise<(group: Command) => void>;
  /** Whether it is one command. The list of commands shows its arguments. */
  readonly isCommand?: boolean;
}

/** All groups, in the order of the list of commands. */
export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'serve',
    description: 'Start the server',
    load: async () => (await import('./serve/serve-command.ts')).addServeCommand,
    isCommand: true,
  },
  {
    name: 'db',
    description: 'Manage the database',
    load: async () => (await import('./database/database-commands.ts')).addDatabaseCommands,
  },
  {
    name: 'account',
    description: 'Manage accounts',
    load: async () => (await import('./account/account-commands.ts')).addAccountCommands,
  },
  {
    name: 'role',
    description: 'Manage the roles of users',
    load: async () => (await import('./account/role-commands.ts')).addRoleCommands,
  },
  {
    name: 'appeal',
    description: 'Decide about appeals of users',
    load: async () => (await import('./account/appeal-commands.ts')).addAppealCommands,
  },
  {
    name: 'strike',
    description: 'Show decisions about accounts',
    load: async () => (await import('./account/appeal-commands.ts')).addStrikeCommands,
  },
  {
    name: 'invite',
    description: 'Manage links to sign up while registrations are not open',
    load: async () => (await import('./account/invite-commands.ts')).addInviteCommands,
  },
  {
    name: 'token',
    description: 'Manage access tokens of the client API',
    load: async () => (await import('./account/token-commands.ts')).addTokenCommands,
  },
  {
    name: 'webhook',
    description: 'Inspect and delete the webhooks of accounts',
    load: async () => (await import('./account/webhook-commands.ts')).addWebhookCommands,
  },
  {
    name: 'admin-webhook',
    description: 'Manage webhooks for events of the whole server',
    load: async () => (await import('./site/admin-webhook-commands.ts')).addAdminWebhookCommands,
  },
  {
    name: 'site',
    description: 'Manage the settings and texts of the site',
    load: async () => (await import('./site/site-commands.ts')).addSiteCommands,
  },
  {
    name: 'registrations',
    description: 'Set who can sign up: anyone, only with approval of staff, or nobody',
    load: async () => (await import('./site/registrations-command.ts')).addRegistrationsCommand,
    isCommand: true,
  },
  {
    name: 'terms',
    description: 'Prepare and publish the terms of service',
    load: async () => (await import('./site/terms-commands.ts')).addTermsCommands,
  },
  {
    name: 'rules',
    description: 'Manage the rules of the server',
    load: async () => (await import('./site/rule-commands.ts')).addRuleCommands,
  },
  {
    name: 'announcement',
    description: 'Manage announcements to all users',
    load: async () => (await import('./site/announcement-commands.ts')).addAnnouncementCommands,
  },
  {
    name: 'domain',
    description: 'Manage federation with other servers',
    load: async () => (await import('./site/domain-commands.ts')).addDomainCommands,
  },
  {
    name: 'domain-list',
    description: 'Subscribe to lists of blocked servers',
    load: async () => (await import('./site/domain-list-subscription-commands.ts')).addDomainListSubscriptionCommands,
  },
  {
    name: 'ip-block',
    description: 'Block IP addresses and networks',
    load: async () => (await import('./moderation/ip-block-commands.ts')).addIpBlockCommands,
  },
  {
    name: 'email-block',
    description: 'Block e-mail domains and addresses for sign-ups',
    load: async () => (await import('./moderation/email-block-commands.ts')).addEmailBlockCommands,
  },
  {
    name: 'username-block',
    description: 'Block usernames for sign-ups and groups',
    load: async () => (await import('./moderation/username-block-commands.ts')).addUsernameBlockCommands,
  },
  {
    name: 'report',
    description: 'Work on reports of users and other servers',
    load: async () => (await import('./moderation/report-commands.ts')).addReportCommands,
  },
  {
    name: 'moderation-rule',
    description: 'Manage the rules that posts are compared with as they arrive',
    load: async () => (await import('./moderation/moderation-rule-commands.ts')).addModerationRuleCommands,
  },
  {
    name: 'preset',
    description: 'Manage the texts that staff reuse in decisions',
    load: async () => (await import('./moderation/preset-commands.ts')).addPresetCommands,
  },
  {
    name: 'held-post',
    description: 'Decide about posts that moderation rules hold for review',
    load: async () => (await import('./moderation/held-post-commands.ts')).addHeldPostCommands,
  },
  {
    name: 'relay',
    description: 'Exchange public posts with other servers through relays',
    load: async () => (await import('./site/relay-commands.ts')).addRelayCommands,
  },
  {
    name: 'audit',
    description: 'Show what staff changed',
    load: async () => (await import('./site/audit-commands.ts')).addAuditCommands,
  },
  {
    name: 'emoji',
    description: 'Manage custom emojis',
    load: async () => (await import('./emoji/emoji-commands.ts')).addEmojiCommands,
  },
  {
    name: 'search',
    description: 'Manage the search index',
    load: async () => (await import('./search/search-commands.ts')).addSearchCommands,
  },
  {
    name: 'measures',
    description: 'Show figures about this server, hashtags and other servers',
    load: async () => (await import('./operate/measures-commands.ts')).addMeasuresCommands,
  },
  {
    name: 'media',
    description: 'Measure, remove and refresh media',
    load: async () => (await import('./operate/media-commands.ts')).addMediaCommands,
  },
  {
    name: 'statuses',
    description: 'Manage stored posts',
    load: async () => (await import('./operate/statuses-commands.ts')).addStatusesCommands,
  },
  {
    name: 'retention',
    description: 'Delete old remote data and notifications now, by the settings of the site',
    load: async () => (await import('./operate/retention-command.ts')).addRetentionCommand,
    isCommand: true,
  },
  {
    name: 'cards',
    description: 'Manage the previews of links in posts',
    load: async () => (await import('./operate/cards-commands.ts')).addCardsCommands,
  },
  {
    name: 'feeds',
    description: 'Manage the stored home and list timelines',
    load: async () => (await import('./operate/feeds-commands.ts')).addFeedsCommands,
  },
  {
    name: 'jobs',
    description: 'Show stored jobs, retry failed ones and delete some',
    load: async () => (await import('./operate/jobs-commands.ts')).addJobsCommands,
  },
  {
    name: 'federation',
    description: 'Show and repair the exchange with other servers',
    load: async () => (await import('./operate/federation-commands.ts')).addFederationCommands,
  },
  {
    name: 'backup',
    description: 'Back up the whole instance into one file, and restore it',
    load: async () => (await import('./backup/backup-commands.ts')).addBackupCommands,
  },
  {
    name: 'import',
    description: 'Import a server of other software, with the same domain',
    load: async () => (await import('./import/import-commands.ts')).addImportCommands,
  },
  {
    name: 'maintenance',
    description: 'Find and repair data that contradicts other data',
    load: async () => (await import('./operate/maintenance-commands.ts')).addMaintenanceCommands,
  },
  {
    name: 'self-destruct',
    description: 'End this instance: delete all local accounts, and their copies on other servers',
    load: async () => (await import('./site/self-destruct-commands.ts')).addSelfDestructCommands,
  },
  {
    name: 'doctor',
    description: 'Check this server for problems and show how to fix them',
    load: async () => (await import('./doctor/doctor-command.ts')).addDoctorCommand,
    isCommand: true,
  },
];
