import type { Command } from 'commander';
import {
  createRole,
  deleteRole,
  listRoles,
  permissionNames,
  updateRole,
  type AdminRole,
  type RoleInput,
} from '../../users/roles/index.ts';
import { confirm, yesOption, type ConfirmOptions } from '../confirm.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseNamesOf, parseWholeNumber } from '../parse-options.ts';
import { everyoneRoleId, standardRoles } from '../../users/access/index.ts';
import { loadTargetRole, roleLabel, type TargetRole } from './load-target-role.ts';

interface CreateOptions extends OutputOptions, Omit<RoleInput, 'permissions'> {
  readonly permissions?: readonly string[];
}

interface UpdateOptions extends CreateOptions, ConfirmOptions {
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
}

const parseNames = parseNamesOf('permission', permissionNames);

/** Adds the group `role`. */
export function addRoleCommands(group: Command): void {
  group
    .command('list')
    .description('List the roles, the highest first')
    .option(...jsonOption)
    .action(list);
  group
    .command('show <role>')
    .description('Show a role with its permissions')
    .option(...jsonOption)
    .action(show);
  addProperties(group.command('create <name>').description('Create a role. Users get it by account role')).action(
    create,
  );
  addProperties(group.command('update <role>').description('Change a role for all its users; user is that of everyone'))
    .option('--name <name>', 'new name')
    .option('--grant <names>', 'permissions to add', parseNames)
    .option('--revoke <names>', 'permissions to remove', parseNames)
    .option(...yesOption)
    .action(update);
  group
    .command('delete <role>')
    .description('Delete a role. Its users keep the permissions of every user')
    .option(...yesOption)
    .option(...jsonOption)
    .action(remove);
}

const addProperties = (command: Command): Command =>
  command
    .option('--color <color>', 'hexadecimal, such as #595aff; empty for none')
    .option('--position <number>', 'rank: staff act on users and roles below theirs', parseWholeNumber)
    .option('--permissions <names>', 'all permissions, such as "manage_reports,view_dashboard"', parseNames)
    .option('--highlighted', 'show the role as a badge on profiles')
    .option('--no-highlighted', 'do not show it')
    .option('--collection-limit <number>', 'how many collections a user may have', parseWholeNumber)
    .option('--require-two-factor', 'users must set up a second factor')
    .option('--no-require-two-factor', 'they need none')
    .option(
      '--require-two-factor-from <day>',
      'only from this day on; users are notified by mail. Needed for all users',
    )
    .option(...jsonOption);

async function list(options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const roles = await listRoles(app);
    print(options, roles, () => formatTable(roles.map(toRow)));
  });
}

const toRow = (role: AdminRole) => ({
  id: role.id,
  name: roleLabel(role),
  position: role.position,
  badge: role.highlighted ? 'yes' : '-',
  second_factor: role.require_two_factor ? 'required' : '-',
  permissions: role.permissions.join(' ') || '-',
});

async function show(name: string, options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { label, ...role } = await loadTargetRole(app, name);
    print(options, role, () =>
      Object.entries({ ...role, name: label }).map(
        ([property, value]) => `${property.padEnd(18)} ${Array.isArray(value) ? value.join(' ') : String(value)}`,
      ),
    );
  });
}

async function create(name: string, options: CreateOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const role = await createRole(app, 'system', { ...options, name });
    print(options, role, () => [`Created the role ${role.name} (${role.id}).`]);
  });
}

async function update(name: string, { grant = [], revoke = [], yes, ...options }: UpdateOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const before = await loadTargetRole(app, name);
    const listed = options.permissions ?? before.permissions;
    const permissions = [...listed, ...grant].filter((permission) => !revoke.includes(permission));
    const consequence = reachOf(before, permissions, options);
    if (consequence !== undefined) await confirm({ ...options, yes: yes === true }, consequence);
    const role = await updateRole(app, 'system', { ...options, id: before.id, permissions });
    print(options, role, () => [`Changed the role ${roleLabel(role)}.`]);
  });
}

/** Returns what a change does to everyone or to owners; undefined if it reaches neither. */
function reachOf(before: TargetRole, permissions: readonly string[], options: CreateOptions): string | undefined {
  const isRequired = options.requireTwoFactor === true && !before.require_two_factor;
  if (before.id === standardRoles.owner && isRequired && options.requireTwoFactorFrom === undefined)
    return 'Owners without a second factor can do nothing else until they have set one up.';
  if (before.id !== everyoneRoleId) return undefined;
  const requires = options.requireTwoFactor === true || options.requireTwoFactorFrom !== undefined;
  if (requires) return 'Every user, staff and owners included, will need a second factor, and is notified by mail.';
  const taken = before.permissions.filter((permission) => !permissions.includes(permission));
  return taken.length === 0 ? undefined : `Every user loses ${taken.join(', ')}.`;
}

async function remove(name: string, options: OutputOptions & ConfirmOptions): Promise<void> {
  await confirm(options, `The role ${name} is deleted, which cannot be undone.`);
  await withCommandApp(options, async (app) => {
    const { id, label } = await loadTargetRole(app, name);
    await deleteRole(app, 'system', id);
    print(options, { id, changed: true }, () => [`Deleted the role ${label}.`]);
  });
}
