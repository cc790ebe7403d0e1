import { namesOf } from '../../platform/known-names.ts';
/** Bits of `Role.permissions` (reference/entities.tsv). */
export const permissionBits = {
  administrator: 0x1n,
  view_devops: 0x2n,
  view_audit_log: 0x4n,
  view_dashboard: 0x8n,
  manage_reports: 0x10n,
  manage_federation: 0x20n,
  manage_settings: 0x40n,
  manage_blocks: 0x80n,
  manage_taxonomies: 0x100n,
  manage_appeals: 0x200n,
  manage_users: 0x400n,
  manage_invites: 0x800n,
  manage_rules: 0x1000n,
  manage_announcements: 0x2000n,
  manage_custom_emojis: 0x4000n,
  manage_webhooks: 0x8000n,
  invite_users: 0x10000n,
  manage_roles: 0x20000n,
  manage_user_access: 0x40000n,
  delete_user_data: 0x80000n,
  view_feeds: 0x100000n,
  invite_bypass_approval: 0x200000n,
  manage_email_subscriptions: 0x400000n,
  // Of Fieldfare: far from those of Mastodon, and apps may read 32 bits.
  create_groups: 0x40000000n,
} as const;
export type Permission = keyof typeof permissionBits;

const combine = (names: readonly Permission[]): bigint => names.reduce((bits, name) => bits | permissionBits[name], 0n);

export const allPermissions = combine(namesOf(permissionBits));

/** Permissions that every user may have, because they concern the user's own posts, invites, followers and groups. */
export const everyonePermissions = combine([
  'invite_users',
  'invite_bypass_approval',
  'view_feeds',
  'manage_email_subscriptions',
  'create_groups',
]);

/** Returns the permissions of a role together with those of every user. Administrators have all. */
export function effectivePermissions(ofRole: bigint, ofEveryone: bigint): bigint {
  const permissions = ofRole | ofEveryone;
  return hasPermission({ permissions }, 'administrator') ? allPermissions : permissions;
}

/** Returns whether `viewer` has a permission. Administrators have all; unknown names are never granted. */
export function hasPermission(viewer: { readonly permissions: bigint } | undefined, name: Permission): boolean {
  if (viewer === undefined) return false;
  if ((viewer.permissions & permissionBits.administrator) !== 0n) return true;
  return (viewer.permissions & (permissionBits[name] ?? 0n)) !== 0n;
}
