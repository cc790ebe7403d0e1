// The command line: `fieldfare serve`, and the commands to manage a server.
import type { Command } from 'commander';
import { addAccountCommands } from './account/account-commands.ts';
import { addAppealCommands } from './account/appeal-commands.ts';
import { addAnnouncementCommands } from './site/announcement-commands.ts';
import { addDatabaseCommands } from './database/database-commands.ts';
import { addDemoCommands } from './demo/demo-commands.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addDomainListSubscriptionCommands } from './site/domain-list-subscription-commands.ts';
import { addDomainCommands } from './site/domain-commands.ts';
import { addAuditCommands } from './site/audit-commands.ts';
import { addEmojiCommands } from './emoji/emoji-commands.ts';
import { addEmailBlockCommands } from './moderation/email-block-commands.ts';
import { addIpBlockCommands } from './moderation/ip-block-commands.ts';
import { addReportCommands } from './moderation/report-commands.ts';
import { createBaseProgram } from './program.ts';
import { addInviteCommands } from './account/invite-commands.ts';
import { addRelayCommands } from './site/relay-commands.ts';
import { addRuleCommands } from './site/rule-commands.ts';
import { addSearchCommands } from './search/search-commands.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addSiteCommands } from './site/site-commands.ts';
import { addTermsCommands } from './site/terms-commands.ts';
import { addTokenCommands } from './account/token-commands.ts';
import { addWebhookCommands } from './account/webhook-commands.ts';

/** Creates the program with all commands. */
export function createProgram(): Command {
  const program = createBaseProgram();
  addServeCommand(program);
  addDatabaseCommands(program);
  addAccountCommands(program);
  addAppealCommands(program);
  addInviteCommands(program);
  addTokenCommands(program);
  addWebhookCommands(program);
  addSiteCommands(program);
  addTermsCommands(program);
  addRuleCommands(program);
  addAnnouncementCommands(program);
  addDomainCommands(program);
  addDomainListSubscriptionCommands(program);
  addIpBlockCommands(program);
  addEmailBlockCommands(program);
  addReportCommands(program);
  addRelayCommands(program);
  addAuditCommands(program);
  addEmojiCommands(program);
  addSearchCommands(program);
  addDemoCommands(program);
  addDoctorCommand(program);
  return program;
}
