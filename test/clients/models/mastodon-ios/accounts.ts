import { Type } from 'typebox';
import { flag, flags, list, object, optional, optionals, ref, text, texts, whole } from '../model.ts';

const field = object({ name: text, value: text, verified_at: optional(text) });

const account = {
  ...texts('id', 'username', 'acct', 'url', 'display_name', 'note', 'avatar', 'header', 'created_at'),
  ...optionals(text, 'avatar_static', 'header_static', 'last_status_at', 'mute_expires_at'),
  ...optionals(flag, 'discoverable', 'bot', 'suspended'),
  locked: flag,
  emojis: list(ref('CustomEmoji')),
  statuses_count: whole,
  followers_count: whole,
  following_count: whole,
  moved: optional(ref('Account')),
  fields: optional(list(field)),
};

const source = object({
  note: text,
  fields: optional(list(field)),
  ...optionals(text, 'privacy', 'language'),
  ...optionals(flag, 'sensitive', 'hide_collections', 'indexable', 'discoverable'),
  follow_requests_count: optional(whole),
});

export const accounts = {
  Account: object({ ...account, source: optional(source) }),
  CredentialAccount: object({ ...account, source: optional(source) }),
  /** Read by a token of this app: the only one that gets `blocked_by` (oauth/client-quirks.ts). */
  RelationshipForIos: object({
    id: text,
    ...flags('following', 'requested', 'endorsed', 'followed_by', 'muting', 'muting_notifications', 'showing_reblogs'),
    ...flags('notifying', 'blocking', 'domain_blocking', 'blocked_by'),
    note: optional(text),
  }),
  FamiliarFollowers: object({ id: text, accounts: list(ref('Account')) }),
  CustomEmoji: object({
    ...texts('shortcode', 'url', 'static_url'),
    visible_in_picker: flag,
    category: optional(text),
  }),
  Tag: object({ ...texts('name', 'url'), history: optional(list(ref('History'))), following: optional(flag) }),
  TrendingTag: ref('Tag'),
  History: object(texts('day', 'uses', 'accounts')),
  List: object({ ...texts('id', 'title'), replies_policy: optional(text) }),
  SearchResults: object({ accounts: list(ref('Account')), statuses: list(ref('Status')), hashtags: list(ref('Tag')) }),
  Suggestion: object({ source: text, account: ref('Account') }),
  Notification: object({
    ...texts('id', 'type', 'created_at'),
    account: ref('Account'),
    status: optional(ref('Status')),
    moderation_warning: optional(
      object({
        id: text,
        action: Type.Enum([
          'none',
          'disable',
          'mark_statuses_as_sensitive',
          'delete_statuses',
          'sensitive',
          'silence',
          'suspend',
        ]),
        text: optional(text),
        target_account: ref('Account'),
        appeal: optional(object({ text, state: Type.Enum(['approved', 'rejected', 'pending']) })),
        status_ids: optional(list(text)),
      }),
    ),
  }),
  NotificationPolicyV1: object({
    ...flags('filter_not_following', 'filter_not_followers', 'filter_new_accounts', 'filter_private_mentions'),
    summary: object({ pending_requests_count: whole, pending_notifications_count: whole }),
  }),
  NotificationRequest: object({
    ...texts('id', 'created_at', 'updated_at', 'notifications_count'),
    account: ref('Account'),
    last_status: optional(ref('Status')),
  }),
};
