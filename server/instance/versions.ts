import { version } from '../platform/version.ts';

/**
 * The version for apps: they compare its start with Mastodon's to detect features, and search the rest for the names of other
 * servers (clients.md, rows 1 to 3).
 */
export const versionForClients = `4.6.5 (compatible; Fieldfare ${version})`;

/**
 * The highest API version of Mastodon up to which all features are implemented: apps enable features by it (clients.md,
 * row 4). 2 adds grouped notifications, 3 PKCE, 4 standard push, 6 featured accounts, 7 quotes, 8 profile editing,
 * 10 collections, 11 descriptions of avatars and headers. Apps that detect features otherwise can use those of higher
 * versions. A test checks it against the routes.
 */
export const apiVersion = 11;

/** A feature that Mastodon does not have, and a route by which it is reached. */
export interface FieldfareFeature {
  readonly name: string;
  /** Method and path, as declared. */
  readonly route: string;
}

/**
 * Features beyond Mastodon that apps may look for. `api_versions.fieldfare` is their number: an app can use a feature if
 * the number is at least its place in this list. New ones are appended. A test checks the routes.
 */
export const fieldfareFeatures: readonly FieldfareFeature[] = [
  { name: 'Device authorization (RFC 8628)', route: 'POST /oauth/device_authorization' },
  { name: 'Webhooks', route: 'POST /api/v1/fieldfare/webhooks' },
  { name: 'Drafts and threads', route: 'POST /api/v1/fieldfare/drafts/:id/publish' },
  { name: 'Bookmark folders', route: 'GET /api/v1/fieldfare/bookmarks' },
  { name: 'Sessions', route: 'GET /api/v1/fieldfare/sessions' },
  { name: 'Settings of the site', route: 'PATCH /api/v1/fieldfare/admin/settings' },
  { name: 'Roles of staff', route: 'POST /api/v1/fieldfare/admin/roles' },
  { name: 'Invites and custom emojis for staff', route: 'POST /api/v1/fieldfare/admin/custom_emojis' },
  { name: 'Strikes and appeals', route: 'POST /api/v1/fieldfare/strikes/:id/appeal' },
  { name: 'Notes of staff about accounts', route: 'POST /api/v1/fieldfare/admin/accounts/:id/notes' },
  { name: 'Texts that staff reuse', route: 'POST /api/v1/fieldfare/admin/warning_presets' },
  { name: 'Audit log', route: 'GET /api/v1/fieldfare/admin/audit_log' },
  { name: 'Notes and forwarding of reports', route: 'POST /api/v1/fieldfare/admin/reports/:id/forward' },
  { name: 'Import and export of domain blocks', route: 'POST /api/v1/fieldfare/admin/domain_blocks/import' },
  { name: 'Subscribed lists of domain blocks', route: 'POST /api/v1/fieldfare/admin/domain_lists' },
  { name: 'Relays', route: 'POST /api/v1/fieldfare/admin/relays' },
  { name: 'Announcements by staff', route: 'POST /api/v1/fieldfare/admin/announcements' },
  { name: 'Webhooks of staff', route: 'POST /api/v1/fieldfare/admin/webhooks' },
  { name: 'Interaction policies', route: 'GET /api/v1/interaction_requests' },
  { name: 'Emoji reactions', route: 'POST /api/v1/statuses/:id/react/:name' },
  { name: 'Actions on reported posts', route: 'POST /api/v1/fieldfare/admin/reports/:id/status_action' },
  { name: 'Moderation rules', route: 'POST /api/v1/fieldfare/admin/moderation_rules' },
  { name: 'Posts held for review', route: 'GET /api/v1/fieldfare/held_posts' },
  { name: 'Local-only posts', route: 'POST /api/v1/statuses' },
  { name: 'Auxiliary service providers', route: 'POST /api/v1/fieldfare/admin/providers/:id/confirm' },
  { name: 'Groups', route: 'POST /api/v1/fieldfare/groups' },
  { name: 'Imports of posts', route: 'POST /api/v1/fieldfare/post_imports' },
  { name: 'Linked sign-ins', route: 'GET /api/v1/fieldfare/linked_sign_ins' },
  { name: 'Proof of work at sign-up', route: 'GET /api/v1/fieldfare/sign_up_challenge' },
  { name: 'Blocked usernames', route: 'POST /api/v1/fieldfare/admin/username_blocks' },
];
