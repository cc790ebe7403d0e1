import type { Id } from '../../../server/platform/ids.ts';
import type * as accountDataArchives from '../../../server/account-data/archives/schema.ts';
import type * as accountDataExports from '../../../server/account-data/exports/schema.ts';
import type * as accountDataImports from '../../../server/account-data/imports/schema.ts';
import type * as accountDataPostImports from '../../../server/account-data/post-imports/schema.ts';
import type * as accounts from '../../../server/accounts/schema.ts';
import type * as announcements from '../../../server/announcements/schema.ts';
import type * as bookmarks from '../../../server/bookmarks/schema.ts';
import type * as cards from '../../../server/cards/schema.ts';
import type * as collections from '../../../server/collections/schema.ts';
import type * as conversations from '../../../server/conversations/schema.ts';
import type * as drafts from '../../../server/drafts/schema.ts';
import type * as emojis from '../../../server/emojis/schema.ts';
import type * as federationHosts from '../../../server/federation/hosts/schema.ts';
import type * as auxiliaryServices from '../../../server/auxiliary-services/schema.ts';
import type * as federationRetention from '../../../server/federation/retention/schema.ts';
import type * as federationRelays from '../../../server/federation/relays/schema.ts';
import type * as filters from '../../../server/filters/schema.ts';
import type * as groups from '../../../server/groups/schema.ts';
import type * as hashtagsAdmin from '../../../server/hashtags/admin/schema.ts';
import type * as hashtags from '../../../server/hashtags/schema.ts';
import type * as instanceStaffCounts from '../../../server/instance/staff-counts/schema.ts';
import type * as instanceImages from '../../../server/instance/images/schema.ts';
import type * as instance from '../../../server/instance/schema.ts';
import type * as interactionsPolicy from '../../../server/interactions/policy/schema.ts';
import type * as lists from '../../../server/lists/schema.ts';
import type * as measures from '../../../server/measures/schema.ts';
import type * as media from '../../../server/media/schema.ts';
import type * as moderationRules from '../../../server/moderation-rules/schema.ts';
import type * as moderationAccounts from '../../../server/moderation/accounts/schema.ts';
import type * as moderationAppeals from '../../../server/moderation/appeals/schema.ts';
import type * as moderationAuditLog from '../../../server/moderation/audit-log/schema.ts';
import type * as moderationDomainLists from '../../../server/moderation/domain-lists/schema.ts';
import type * as moderationNotes from '../../../server/moderation/notes/schema.ts';
import type * as moderationPresets from '../../../server/moderation/presets/schema.ts';
import type * as moderationReports from '../../../server/moderation/reports/schema.ts';
import type * as moderationServers from '../../../server/moderation/servers/schema.ts';
import type * as moderationWarnings from '../../../server/moderation/warnings/schema.ts';
import type * as notificationsGrouped from '../../../server/notifications/grouped/schema.ts';
import type * as notificationsPolicy from '../../../server/notifications/policy/schema.ts';
import type * as notificationsRequests from '../../../server/notifications/requests/schema.ts';
import type * as notifications from '../../../server/notifications/schema.ts';
import type * as oauthAuthorize from '../../../server/oauth/authorize/schema.ts';
import type * as polls from '../../../server/polls/schema.ts';
import type * as profiles from '../../../server/profiles/schema.ts';
import type * as push from '../../../server/push/schema.ts';
import type * as quotesPolicy from '../../../server/quotes/policy/schema.ts';
import type * as quotes from '../../../server/quotes/schema.ts';
import type * as refreshes from '../../../server/refreshes/schema.ts';
import type * as relationshipsCredentials from '../../../server/relationships/credentials/schema.ts';
import type * as relationships from '../../../server/relationships/schema.ts';
import type * as relationshipsSeverances from '../../../server/relationships/severances/schema.ts';
import type * as reports from '../../../server/reports/schema.ts';
import type * as search from '../../../server/search/schema.ts';
import type * as siteDomains from '../../../server/site/domains/schema.ts';
import type * as siteJobs from '../../../server/site/jobs/schema.ts';
import type * as siteRules from '../../../server/site/rules/schema.ts';
import type * as siteSettings from '../../../server/site/settings/schema.ts';
import type * as siteTexts from '../../../server/site/texts/schema.ts';
import type * as siteTerms from '../../../server/site/terms/schema.ts';
import type * as statusesApproval from '../../../server/statuses/approval/schema.ts';
import type * as statusesHeld from '../../../server/statuses/held/schema.ts';
import type * as statuses from '../../../server/statuses/schema.ts';
import type * as statusesThread from '../../../server/statuses/thread/schema.ts';
import type * as suggestions from '../../../server/suggestions/schema.ts';
import type * as timelines from '../../../server/timelines/schema.ts';
import type * as translation from '../../../server/translation/schema.ts';
import type * as trends from '../../../server/trends/schema.ts';
import type * as usersEmailBlocks from '../../../server/users/email-blocks/schema.ts';
import type * as usersInvites from '../../../server/users/invites/schema.ts';
import type * as usersIpBlocks from '../../../server/users/ip-blocks/schema.ts';
import type * as usersRoles from '../../../server/users/roles/schema.ts';
import type * as usersSecondFactor from '../../../server/users/second-factor/schema.ts';
import type * as usersSessions from '../../../server/users/sessions/schema.ts';
import type * as usersSettings from '../../../server/users/settings/schema.ts';
import type * as usersUsernameBlocks from '../../../server/users/username-blocks/schema.ts';
import type * as webhooks from '../../../server/webhooks/schema.ts';
import type * as webhooksStaff from '../../../server/webhooks/staff/schema.ts';

/** What a schema describes, as the client reads it: nothing is changed in place, and an id is a text. */
type Json<Value> =
  Value extends Id<string>
    ? string
    : Value extends object
      ? { readonly [Name in keyof Value]: Json<Value[Name]> }
      : Value;

export interface Account extends Json<accounts.Account> {}
export interface AccountSecurity extends Json<usersSecondFactor.AccountSecurity> {}
export interface AccountWarning extends Json<moderationWarnings.AccountWarning> {}
export interface AdminAccount extends Json<moderationAccounts.AdminAccount> {}
export interface AdminAnnouncement extends Json<announcements.AdminAnnouncement> {}
export interface AdminCanonicalEmailBlock extends Json<usersEmailBlocks.AdminCanonicalEmailBlock> {}
export interface AdminCohort extends Json<measures.Cohort> {}
export interface AdminDimension extends Json<measures.Dimension> {}
export interface AdminDomainAllow extends Json<siteDomains.AdminDomainAllow> {}
export interface AdminDomainBlock extends Json<siteDomains.AdminDomainBlock> {}
export interface AdminEmailDomainBlock extends Json<usersEmailBlocks.AdminEmailDomainBlock> {}
export interface AdminIpBlock extends Json<usersIpBlocks.AdminIpBlock> {}
export interface AdminMeasure extends Json<measures.Measure> {}
export interface AdminReport extends Json<moderationReports.AdminReport> {}
export interface AdminTag extends Json<hashtagsAdmin.AdminTag> {}
export interface AdminTrendsLink extends Json<trends.AdminTrendingLink> {}
export interface AdminTrendsLinksPreviewCardProvider extends Json<trends.LinkPublisher> {}
export interface AdminTrendsStatus extends Json<trends.AdminTrendingStatus> {}
export interface AdminUsernameBlock extends Json<usersUsernameBlocks.AdminUsernameBlock> {}
export interface Alias extends Json<profiles.Alias> {}
export interface Announcement extends Json<announcements.Announcement> {}
export interface Archive extends Json<accountDataArchives.Archive> {}
export interface AsyncRefresh extends Json<refreshes.AsyncRefresh> {}
export interface AuthorizedApplication extends Json<oauthAuthorize.AuthorizedApplication> {}
export interface Collection extends Json<collections.Collection> {}
export interface CollectionItem extends Json<collections.CollectionItem> {}
export interface CollectionWithAccounts extends Json<collections.CollectionWithAccounts> {}
export interface Collections extends Json<collections.Collections> {}
export interface Context extends Json<statuses.Context> {}
export interface Conversation extends Json<conversations.Conversation> {}
export interface CredentialAccount extends Json<relationshipsCredentials.CredentialAccount> {}
export interface CustomEmoji extends Json<emojis.CustomEmoji> {}
export interface DefaultInteractionPolicies extends Json<interactionsPolicy.DefaultPolicies> {}
export interface DeletedStatus extends Json<statuses.DeletedStatus> {}
export interface DomainBlockPreview extends Json<relationships.DomainBlockPreview> {}
export interface BookmarkFolder extends Json<bookmarks.BookmarkFolder> {}
export interface Draft extends Json<drafts.Draft> {}
export interface DraftPost extends Json<drafts.DraftPost> {}
export interface ExportCounts extends Json<accountDataExports.ExportCounts> {}
export interface FamiliarFollowers extends Json<relationships.FamiliarFollowers> {}
export interface FeaturedTag extends Json<hashtags.FeaturedTag> {}
export interface FieldfareAdminAccountNote extends Json<moderationNotes.ModerationNote> {}
export interface FieldfareAdminAppeal extends Json<moderationAppeals.AdminAppeal> {}
export interface FieldfareAdminCredentialWebhook extends Json<webhooksStaff.CredentialStaffWebhook> {}
export interface FieldfareAdminCustomEmoji extends Json<emojis.AdminEmoji> {}
export interface FieldfareAdminCustomEmojiBatch extends Json<emojis.AdminEmojiBatch> {}
export interface FieldfareAdminFederationQueue extends Json<federationHosts.AdminFederationQueue> {}
export interface FieldfareAdminHost extends Json<federationHosts.AdminHost> {}
export interface FieldfareAdminInvite extends Json<usersInvites.AdminInvite> {}
export interface FieldfareAdminJob extends Json<siteJobs.AdminJob> {}
export interface FieldfareAdminCounts extends Json<instanceStaffCounts.AdminCounts> {}
export interface FieldfareAdminJobCount extends Json<siteJobs.AdminJobCount> {}
export interface FieldfareAdminRetentionEstimate extends Json<federationRetention.RetentionEstimate> {}
export interface FieldfareAdminRole extends Json<usersRoles.AdminRole> {}
export interface FieldfareAdminRule extends Json<siteRules.AdminRule> {}
export interface FieldfareAdminSetting extends Json<siteSettings.Setting> {}
export interface FieldfareAdminSiteImage extends Json<instanceImages.SiteImage> {}
export interface FieldfareAdminTermsOfService extends Json<siteTerms.TermsVersion> {}
export interface FieldfareAdminSiteTextPreview extends Json<siteTexts.SiteTextPreview> {}
export interface FieldfareAdminTermsOfServiceDraft extends Json<siteTerms.TermsDraftEntity> {}
export interface FieldfareAdminWarningPreset extends Json<moderationPresets.WarningPreset> {}
export interface FieldfareAdminWebhook extends Json<webhooksStaff.StaffWebhook> {}
export interface FieldfareAdminWebhookDelivery extends Json<webhooksStaff.StaffDelivery> {}
export interface FieldfareAuditEntry extends Json<moderationAuditLog.AuditEntry> {}
export interface FieldfareDomainAllowImport extends Json<moderationServers.AllowImport> {}
export interface FieldfareDomainBlockImport extends Json<moderationServers.BlockImport> {}
export interface FieldfareDomainList extends Json<moderationDomainLists.DomainList> {}
export interface FieldfareDomainListChange extends Json<moderationDomainLists.DomainListChange> {}
export interface FieldfareAdminTrendingTag extends Json<trends.AdminTrendingTag> {}
export interface FieldfareProvider extends Json<auxiliaryServices.Provider> {}
export interface FieldfareRelay extends Json<federationRelays.Relay> {}
export interface FieldfareReportNote extends Json<moderationReports.ReportNote> {}
export interface FieldfareReportedStatus extends Json<moderationReports.ReportedStatus> {}
export interface Filter extends Json<filters.Filter> {}
export interface FilterExport extends Json<filters.FilterExport> {}
export interface GroupedNotificationsResults extends Json<notificationsGrouped.GroupedNotificationsResults> {}
export interface HeldPost extends Json<statusesHeld.HeldPost> {}
export interface Import extends Json<accountDataImports.Import> {}
export interface Instance extends Json<instance.Instance> {}
export interface InteractionPolicy extends Json<interactionsPolicy.InteractionPolicyEntity> {}
export interface InteractionPolicyRules extends Json<interactionsPolicy.Rules> {}
export interface InteractionRequest extends Json<statusesApproval.InteractionRequest> {}
export interface Language extends Json<instance.Language> {}
export interface Group extends Json<groups.Group> {}
export interface List extends Json<lists.List> {}
export interface MarkersByTimeline extends Json<timelines.MarkersByTimeline> {}
export interface MatchedFilter extends Json<filters.MatchedFilter> {}
export interface MediaAttachment extends Json<media.MediaAttachment> {}
export interface ModerationRule extends Json<moderationRules.ModerationRule> {}
export interface ModerationRuleMatch extends Json<moderationRules.ModerationRuleMatch> {}
export interface ModerationRuleTrial extends Json<moderationRules.ModerationRuleTrial> {}
export interface MutedAccount extends Json<relationships.MutedAccount> {}
export interface Notification extends Json<notifications.Notification> {}
export interface NotificationGroup extends Json<notificationsGrouped.NotificationGroup> {}
export interface NotificationPolicy extends Json<notificationsPolicy.NotificationPolicy> {}
export interface NotificationRequest extends Json<notificationsRequests.NotificationRequest> {}
export interface Poll extends Json<polls.Poll> {}
export interface PostImport extends Json<accountDataPostImports.PostImport> {}
export interface PreviewCard extends Json<cards.PreviewCard> {}
export interface Profile extends Json<profiles.Profile> {}
export interface Quote extends Json<statuses.Quote> {}
export interface QuotedStatus extends Json<statuses.QuotedStatus> {}
export interface QuoteApproval extends Json<quotesPolicy.QuoteApproval> {}
export interface Relationship extends Json<relationships.Relationship> {}
export interface RelationshipSeveranceEvent extends Json<relationshipsSeverances.RelationshipSeveranceEvent> {}
export interface Report extends Json<reports.Report> {}
export interface Rule extends Json<siteRules.Rule> {}
export interface ScheduledStatus extends Json<statuses.ScheduledStatus> {}
export interface Search extends Json<search.Search> {}
export interface Session extends Json<usersSessions.Session> {}
export interface ShallowQuote extends Json<quotes.ShallowQuote> {}
export interface Status extends Json<statuses.Status> {}
export interface StatusEdit extends Json<statuses.StatusEdit> {}
export interface StatusPreview extends Json<statuses.StatusPreview> {}
export interface StatusReaction extends Json<statuses.StatusReaction> {}
export interface StatusSource extends Json<statuses.StatusSource> {}
export interface Suggestion extends Json<suggestions.Suggestion> {}
export interface ThreadPost extends Json<statusesThread.ThreadPost> {}
export interface Tag extends Json<hashtags.Tag> {}
export interface Translation extends Json<translation.Translation> {}
export interface TrendsLink extends Json<trends.TrendingLink> {}
export interface UploadedMedia extends Json<media.UploadedMedia> {}
export interface UserPreferences extends Json<usersSettings.UserPreferences> {}
export interface WebPushSubscription extends Json<push.WebPushSubscription> {}
export interface WrappedCollection extends Json<collections.WrappedCollection> {}
export interface WrappedCollectionItem extends Json<collections.WrappedCollectionItem> {}
export interface Webhook extends Json<webhooks.Webhook> {}
export interface FieldfareTrendingTag extends Json<trends.TrendingTag> {}
