import { Argument, type Command } from 'commander';
import { sql } from 'kysely';
import { parseHandle } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { standardRoles, type StandardRole } from '../users/index.ts';
import { CliError } from './cli-error.ts';
import { withApp } from './open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from './output.ts';
import { commandConfig } from './command-config.ts';

interface ActionOptions extends OutputOptions {
  readonly text?: string;
  readonly notify?: boolean;
  readonly yes?: boolean;
}

/** Loaded by the commands that need it: `account create` does not. */
const loadModeration = () => import('../moderation/index.ts');

interface AccountAction {
  readonly description: string;
  /** The use case, which returns whether anything changed. */
  readonly run:
    | 'approveSignUp'
    | 'rejectSignUp'
    | 'disableUser'
    | 'enableUser'
    | 'suspendAccount'
    | 'unsuspendAccount'
    | 'deleteAccountAsStaff';
  readonly changedMessage: string;
  readonly unchangedMessage: string;
  /** Whether the user gets a mail by default; left out for actions that send none. */
  readonly mailsByDefault?: boolean;
  /** Also accepts remote accounts. */
  readonly allowRemote?: boolean;
  /** It cannot be undone: asks for --yes. */
  readonly isIrreversible?: boolean;
}

const actions: Readonly<Record<string, AccountAction>> = {
  approve: {
    description: 'Approve sign-ups that wait: see account list --pending',
    run: 'approveSignUp',
    changedMessage: 'is approved',
    unchangedMessage: 'was approved already',
    mailsByDefault: true,
  },
  reject: {
    description: 'Reject sign-ups that wait. Their names and addresses are free again',
    run: 'rejectSignUp',
    changedMessage: 'is rejected',
    unchangedMessage: 'was rejected already',
    mailsByDefault: false,
  },
  disable: {
    description: 'Sign people out and refuse their sign-ins and tokens; others still see the accounts',
    run: 'disableUser',
    changedMessage: 'is disabled',
    unchangedMessage: 'was disabled already',
    mailsByDefault: true,
  },
  enable: {
    description: 'Let disabled people sign in again',
    run: 'enableUser',
    changedMessage: 'is enabled',
    unchangedMessage: 'was not disabled',
  },
  suspend: {
    description: 'Hide accounts and all that they posted, here or on other servers (name@domain). Can be undone',
    run: 'suspendAccount',
    changedMessage: 'is suspended',
    unchangedMessage: 'was suspended already',
    mailsByDefault: true,
    allowRemote: true,
  },
  unsuspend: {
    description: 'Show suspended accounts and their posts again',
    run: 'unsuspendAccount',
    changedMessage: 'is not suspended any more',
    unchangedMessage: 'was not suspended',
    allowRemote: true,
  },
  delete: {
    description: 'Delete accounts with all their data, for good',
    run: 'deleteAccountAsStaff',
    changedMessage: 'is deleted',
    unchangedMessage: 'was deleted already',
    allowRemote: true,
    isIrreversible: true,
  },
};

/** Adds what staff do with accounts to the `account` group. */
export function addAccountActions(group: Command): void {
  for (const [name, action] of Object.entries(actions)) {
    const command = group.command(`${name} <names...>`).description(action.description);
    if (action.mailsByDefault !== undefined) command.option('--text <text>', 'what the mail to the user says besides');
    if (action.mailsByDefault === true) command.option('--no-notify', 'send no mail to the user');
    if (action.mailsByDefault === false) command.option('--notify', 'tell the user by mail');
    if (action.isIrreversible === true) command.option('--yes', 'confirm that it cannot be undone');
    command
      .option(...jsonOption)
      .action((names: string[], options: ActionOptions) => runAction(names, action, { ...options, name }));
  }
  group
    .command('role <name>')
    .description('Change what a person may do')
    .addArgument(new Argument('<role>', 'the new role').choices(Object.keys(standardRoles)))
    .option(...jsonOption)
    .action(changeRole);
}

async function runAction(
  names: readonly string[],
  action: AccountAction,
  options: ActionOptions & { name: string },
): Promise<void> {
  if (action.isIrreversible === true && options.yes !== true) {
    throw new CliError(
      `This cannot be undone. To go ahead, add --yes: account ${options.name} ${names.join(' ')} --yes`,
    );
  }
  const moderation = await loadModeration();
  await withApp(commandConfig(), commandLog(), async (app) => {
    // A misspelt name is found before anything is done.
    const targets: TargetAccount[] = [];
    for (const name of names) targets.push(await loadTargetAccount(app, name, action.allowRemote === true));
    for (const { accountId, acct } of targets) {
      const changed = await moderation[action.run](app, 'system', {
        accountId,
        text: options.text,
        notify: options.notify,
      });
      print(options, { account: acct, id: accountId, changed }, () => [
        `@${acct} ${changed ? action.changedMessage : action.unchangedMessage}.`,
      ]);
    }
  });
}

async function changeRole(name: string, role: StandardRole, options: OutputOptions): Promise<void> {
  const { changeUserRole } = await loadModeration();
  await withApp(commandConfig(), commandLog(), async (app) => {
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const changed = await changeUserRole(app, 'system', { accountId, role });
    print(options, { account: acct, id: accountId, role, changed }, () => [
      `@${acct} ${changed ? 'has' : 'had'} the role ${role}${changed ? '' : ' already'}.`,
    ]);
  });
}

interface TargetAccount {
  readonly accountId: AccountId;
  readonly acct: string;
}

/** Finds an account by `name` or `name@domain`, also one whose sign-up waits. Throws Failure if there is none. */
async function loadTargetAccount(app: App, name: string, evenRemote: boolean): Promise<TargetAccount> {
  const handle = parseHandle(app, name);
  if (handle === undefined)
    throw new CliError(`${name} is not the name of an account, such as alice or bob@example.org.`);
  const { username, domain } = handle;
  if (domain !== null && !evenRemote) throw new CliError(`${name} is not an account of this server.`);
  const { rows } = await sql<TargetAccount>`
    select id as "accountId", username || coalesce('@' || domain, '') as acct from accounts
    where lower(username) = lower(${username}) and coalesce(domain, '') = ${domain ?? ''} and deleted_at is null`.execute(
    app.db,
  );
  const [target] = rows;
  if (target === undefined) throw new CliError(`There is no account ${name}.`);
  return target;
}
