import type { StaffScenarios } from '../staff-scenario.ts';
import { accountScenarios } from './accounts.ts';
import { appealScenarios } from './appeals.ts';
import { measureScenarios } from './measures.ts';
import { moderationRuleScenarios } from './moderation-rules.ts';
import { noteScenarios } from './notes.ts';
import { presetScenarios } from './presets.ts';
import { announcementScenarios } from './announcements.ts';
import { emojiScenarios } from './emojis.ts';
import { inviteScenarios } from './invites.ts';
import { webhookScenarios } from './webhooks.ts';
import { siteScenarios } from './site.ts';
import { trendScenarios } from './trends.ts';
import { auditLogScenarios } from './audit-log.ts';
import { domainListScenarios } from './domain-lists.ts';
import { domainScenarios } from './domains.ts';
import { blockScenarios } from './blocks.ts';
import { reportScenarios } from './reports.ts';
import { roleScenarios } from './roles.ts';
import { operationScenarios } from './operation.ts';
import { providerScenarios } from './providers.ts';
import { relayScenarios } from './relays.ts';

/** A request of every staff route. */
export const staffScenarios: StaffScenarios = {
  ...accountScenarios,
  ...appealScenarios,
  ...measureScenarios,
  ...moderationRuleScenarios,
  ...noteScenarios,
  ...presetScenarios,
  ...announcementScenarios,
  ...trendScenarios,
  ...auditLogScenarios,
  ...domainListScenarios,
  ...domainScenarios,
  ...blockScenarios,
  ...reportScenarios,
  ...relayScenarios,
  ...providerScenarios,
  ...operationScenarios,
  ...siteScenarios,
  ...roleScenarios,
  ...inviteScenarios,
  ...emojiScenarios,
  ...webhookScenarios,
};
