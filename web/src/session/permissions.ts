import {
  allPermissions,
  everyonePermissions,
  hasPermission,
  type Permission,
} from '../../../server/users/access/permission-bits.ts';
import { me } from './session.ts';

export type { Permission } from '../../../server/users/access/permission-bits.ts';

const viewer = (): { readonly permissions: bigint } => ({ permissions: BigInt(me.value.role?.permissions ?? '0') });

/** Returns whether the signed-in account has one of the permissions. */
export const can = (...names: readonly Permission[]): boolean => names.some((name) => hasPermission(viewer(), name));

/** Returns whether the signed-in account may open moderation. What every user may do, such as inviting, is not enough. */
export const isStaff = (): boolean => (viewer().permissions & allPermissions & ~everyonePermissions) !== 0n;
