import { CommanderError, type Command } from 'commander';
import { userFacingMessage } from './cli-error.ts';
import { createBaseProgram } from './program.ts';

type AddCommands = (program: Command) => void;

/** Loads a group of commands by name. Each imports only the parts of the server that it needs, so that it starts fast. */
export const commandGroups: Readonly<Record<string, () => Promise<AddCommands>>> = {
  serve: async () => (await import('./serve/serve-command.ts')).addServeCommand,
  db: async () => (await import('./database/database-commands.ts')).addDatabaseCommands,
  account: async () => (await import('./account/account-commands.ts')).addAccountCommands,
  appeal: async () => (await import('./account/appeal-commands.ts')).addAppealCommands,
  role: async () => (await import('./account/role-commands.ts')).addRoleCommands,
  strike: async () => (await import('./account/appeal-commands.ts')).addAppealCommands,
  invite: async () => (await import('./account/invite-commands.ts')).addInviteCommands,
  token: async () => (await import('./account/token-commands.ts')).addTokenCommands,
  webhook: async () => (await import('./account/webhook-commands.ts')).addWebhookCommands,
  'admin-webhook': async () => (await import('./site/admin-webhook-commands.ts')).addAdminWebhookCommands,
  site: async () => (await import('./site/site-commands.ts')).addSiteCommands,
  registrations: async () => (await import('./site/site-commands.ts')).addSiteCommands,
  terms: async () => (await import('./site/terms-commands.ts')).addTermsCommands,
  announcement: async () => (await import('./site/announcement-commands.ts')).addAnnouncementCommands,
  rules: async () => (await import('./site/rule-commands.ts')).addRuleCommands,
  'held-post': async () => (await import('./moderation/held-post-commands.ts')).addHeldPostCommands,
  'moderation-rule': async () => (await import('./moderation/moderation-rule-commands.ts')).addModerationRuleCommands,
  domain: async () => (await import('./site/domain-commands.ts')).addDomainCommands,
  'ip-block': async () => (await import('./moderation/ip-block-commands.ts')).addIpBlockCommands,
  'email-block': async () => (await import('./moderation/email-block-commands.ts')).addEmailBlockCommands,
  report: async () => (await import('./moderation/report-commands.ts')).addReportCommands,
  'domain-list': async () =>
    (await import('./site/domain-list-subscription-commands.ts')).addDomainListSubscriptionCommands,
  preset: async () => (await import('./moderation/preset-commands.ts')).addPresetCommands,
  relay: async () => (await import('./site/relay-commands.ts')).addRelayCommands,
  audit: async () => (await import('./site/audit-commands.ts')).addAuditCommands,
  emoji: async () => (await import('./emoji/emoji-commands.ts')).addEmojiCommands,
  search: async () => (await import('./search/search-commands.ts')).addSearchCommands,
  measures: async () => (await import('./operate/measures-commands.ts')).addMeasuresCommands,
  media: async () => (await import('./operate/media-commands.ts')).addMediaCommands,
  statuses: async () => (await import('./operate/statuses-commands.ts')).addStatusesCommands,
  feeds: async () => (await import('./operate/feeds-commands.ts')).addFeedsCommands,
  jobs: async () => (await import('./operate/jobs-commands.ts')).addJobsCommands,
  federation: async () => (await import('./operate/federation-commands.ts')).addFederationCommands,
  maintenance: async () => (await import('./operate/maintenance-commands.ts')).addMaintenanceCommands,
  'self-destruct': async () => (await import('./site/self-destruct-commands.ts')).addSelfDestructCommands,
  backup: async () => (await import('./backup/backup-commands.ts')).addBackupCommands,
  doctor: async () => (await import('./doctor/doctor-command.ts')).addDoctorCommand,
};

/** Runs a command and exits: with 0 on success, else 1. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // Files that this process or a library writes are readable by its user only.
  process.umask(0o077);
  process.exit(await runCommand(args));
}

/** Runs a command. Prints why it failed, and returns the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  try {
    const program = await loadProgram(args[0] ?? '');
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const message = userFacingMessage(error);
    if (message === undefined) console.error(error);
    else for (const line of message.split('\n')) console.error(`fieldfare: ${line}`);
    return 1;
  }
}

async function loadProgram(name: string): Promise<Command> {
  const load = Object.hasOwn(commandGroups, name) ? commandGroups[name] : undefined;
  if (load === undefined) return (await import('./index.ts')).createProgram();
  const program = createBaseProgram();
  (await load())(program);
  return program;
}
