import { me } from './session.ts';

/** Bits of `role.permissions`, as the server defines them. */
const bits = {
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
  manage_roles: 0x20000n,
  delete_user_data: 0x80000n,
} as const;
export type Permission = keyof typeof bits;

/** Returns whether permissions, a decimal number, include one of the names. Administrators have all. */
export function includesOne(permissions: string, names: readonly Permission[]): boolean {
  const held = BigInt(permissions);
  return (held & bits.administrator) !== 0n || names.some((name) => (held & bits[name]) !== 0n);
}

/** Returns whether the signed-in account has one of the permissions. */
export const can = (...names: readonly Permission[]): boolean => includesOne(me.value.role?.permissions ?? '0', names);

/** Returns whether the signed-in account may open moderation. Inviting people, which all users may do, is not enough. */
export const isStaff = (): boolean => can(...(Object.keys(bits) as Permission[]));
