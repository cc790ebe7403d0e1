import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeUserRole } from '../../server/moderation/index.ts';
import { HttpError } from '../../server/platform/http/http-errors.ts';
import type { AccountId, RoleId } from '../../server/platform/ids.ts';
import { everyoneRoleId, permissionBits, standardRoles, type Permission } from '../../server/users/access/roles.ts';
import { createRole, deleteRole, updateRole } from '../../server/users/roles/index.ts';
import { startServer, type TestServer } from '../server.ts';
import { giveRole } from './staff-roles.ts';

/** The roles of three staff members who work together. */
const staffRoles: readonly { position: number; permissions: Permission[] }[] = [
  { position: 50, permissions: ['manage_roles', 'manage_reports'] },
  { position: 50, permissions: ['manage_roles', 'manage_users'] },
  { position: 20, permissions: ['manage_roles', 'view_feeds'] },
];
/** What the three and every user have together. */
const held: readonly Permission[] = ['manage_roles', 'manage_reports', 'manage_users', 'view_feeds', 'invite_users'];
const heldBits = held.reduce((bits, name) => bits | permissionBits[name], 0n);
const highestPosition = 50;

interface Step {
  readonly kind: 'create' | 'update' | 'delete' | 'assign';
  /** Chooses the staff member, the role and the account, modulo their number. */
  readonly actor: number;
  readonly role: number;
  readonly account: number;
  readonly position: number | undefined;
  readonly permissions: readonly Permission[] | undefined;
}

const anyPermission = fc.constantFrom(...(Object.keys(permissionBits) as Permission[]));
const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('create', 'update', 'update', 'delete', 'assign', 'assign'),
    actor: fc.nat(2),
    role: fc.nat(30),
    account: fc.nat(3),
    position: fc.option(fc.constantFrom(0, 5, 19, 20, 49, 50, 51, 1000), { nil: undefined }),
    permissions: fc.option(fc.array(fc.oneof(fc.constantFrom(...held), anyPermission), { maxLength: 3 }), {
      nil: undefined,
    }),
  }),
  { minLength: 5, maxLength: 25 },
);

const listRoleIds = async ({ db }: TestServer): Promise<RoleId[]> =>
  (await db.selectFrom('roles').select('id').orderBy('id').execute()).map(({ id }) => id);

let roleCount = 0;

function take(server: TestServer, accounts: readonly AccountId[], roles: readonly RoleId[], step: Step) {
  const { app } = server;
  const staff = accounts[step.actor] as AccountId;
  const id = roles[step.role % roles.length] as RoleId;
  const { position, permissions } = step;
  switch (step.kind) {
    case 'create':
      roleCount += 1;
      return createRole(app, staff, { name: `made ${roleCount}`, position, permissions });
    case 'update':
      return updateRole(app, staff, { id, position, permissions });
    case 'delete':
      return deleteRole(app, staff, id);
    case 'assign':
      return changeUserRole(app, staff, { accountId: accounts[step.account] as AccountId, roleId: id });
  }
}

/** Whether a refusal names a reason that a client can understand. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof HttpError && [403, 422].includes(error.status)) return undefined;
  throw error;
}

async function reset(server: TestServer, accounts: readonly AccountId[]): Promise<void> {
  await server.db.updateTable('users').set({ role_id: everyoneRoleId }).execute();
  const kept = Object.values(standardRoles);
  await server.db.deleteFrom('roles').where('id', 'not in', kept).execute();
  await server.db
    .insertInto('roles')
    .values({ id: standardRoles.moderator, name: 'Moderator', position: 10, permissions: '1308' })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ position: 10, permissions: '1308' }))
    .execute();
  await server.db.updateTable('roles').set({ permissions: '65536' }).where('id', '=', everyoneRoleId).execute();
  for (const [index, role] of staffRoles.entries()) await giveRole(server, accounts[index] as AccountId, role);
}

/** Returns the users with a higher position, or other permissions, than the staff had together at the beginning. */
async function findRisen({ db }: TestServer): Promise<unknown[]> {
  const users = await db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select(['users.account_id', 'roles.position', 'roles.permissions'])
    .execute();
  const everyone = await db
    .selectFrom('roles')
    .select('permissions')
    .where('id', '=', everyoneRoleId)
    .executeTakeFirstOrThrow();
  return users.filter(
    ({ position, permissions }) =>
      position > highestPosition || ((BigInt(permissions) | BigInt(everyone.permissions)) & ~heldBits) !== 0n,
  );
}

test(
  'ADM-06: no sequence of allowed changes raises anyone above the staff who made them',
  { timeout: 120_000 },
  async () => {
    await using server = await startServer();
    const accounts: AccountId[] = [];
    for (const name of ['anna', 'boris', 'clara', 'dora']) accounts.push((await server.user(name)).id);
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await reset(server, accounts);
        for (const step of sequence) {
          const result = await take(server, accounts, await listRoleIds(server), step).catch(ignoreRefusal);
          if (result !== undefined) allowed += 1;
          expect(await findRisen(server)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
    expect(allowed).toBeGreaterThan(25);
  },
);
