import { Argument, type Command } from 'commander';
import { sql } from 'kysely';
import { readHandle } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { AccountId } from '../platform/ids.ts';
import { standardRoles, type StandardRole } from '../users/index.ts';
import { Failure } from './failure.ts';
import { withApp } from './open-app.ts';
import { commandLog, jsonOption, print, type OutputOptions } from './output.ts';
import { commandConfig } from './settings.ts';

interface ActionOptions extends OutputOptions {
  readonly text?: string;
  readonly notify?: boolean;
  readonly yes?: boolean;
}

/** Loaded by the commands that need it: `account create` does not. */
const loadModeration = () => import('../moderation/index.ts');

interface Action {
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
  readonly done: string;
  readonly otherwise: string;
  /** Whether the user gets a mail by default; left out for actions that send none. */
  readonly mails?: boolean;
  /** Also accepts remote accounts. */
  readonly evenRemote?: boolean;
  /** It cannot be undone: asks for --yes. */
  readonly isFinal?: boolean;
}

const actions: Readonly<Record<string, Action>> = {
  approve: {
    description: 'Approve sign-ups that wait: see account list --pending',
    run: 'approveSignUp',
    done: 'is approved',
    otherwise: 'was approved already',
    mails: true,
  },
  reject: {
    description: 'Reject sign-ups that wait. Their names and addresses are free again',
    run: 'rejectSignUp',
    done: 'is rejected',
    otherwise: 'was rejected already',
    mails: false,
  },
  disable: {
    description: 'Sign people out and refuse their sign-ins and tokens; others still see the accounts',
    run: 'disableUser',
    done: 'is disabled',
    otherwise: 'was disabled already',
    mails: true,
  },
  enable: {
    description: 'Let disabled people sign in again',
    run: 'enableUser',
    done: 'is enabled',
    otherwise: 'was not disabled',
  },
  suspend: {
    description: 'Hide accounts and all that they posted, here or on other servers (name@domain). Can be undone',
    run: 'suspendAccount',
    done: 'is suspended',
    otherwise: 'was suspended already',
    mails: true,
    evenRemote: true,
  },
  unsuspend: {
    description: 'Show suspended accounts and their posts again',
    run: 'unsuspendAccount',
    done: 'is not suspended any more',
    otherwise: 'was not suspended',
    evenRemote: true,
  },
  delete: {
    description: 'Delete accounts with all their data, for good',
    run: 'deleteAccountAsStaff',
    done: 'is deleted',
    otherwise: 'was deleted already',
    evenRemote: true,
    isFinal: true,
  },
};

/** Adds what staff do with accounts to the `account` group. */
export function addAccountActions(group: Command): void {
  for (const [name, action] of Object.entries(actions)) {
    const command = group.command(`${name} <names...>`).description(action.description);
    if (action.mails !== undefined) command.option('--text <text>', 'what the mail to the user says besides');
    if (action.mails === true) command.option('--no-notify', 'send no mail to the user');
    if (action.mails === false) command.option('--notify', 'tell the user by mail');
    if (action.isFinal === true) command.option('--yes', 'confirm that it cannot be undone');
    command
      .option(...jsonOption)
      .action((names: string[], options: ActionOptions) => act(names, action, { ...options, name }));
  }
  group
    .command('role <name>')
    .description('Change what a person may do')
    .addArgument(new Argument('<role>', 'the new role').choices(Object.keys(standardRoles)))
    .option(...jsonOption)
    .action(changeRole);
}

async function act(names: readonly string[], action: Action, options: ActionOptions & { name: string }): Promise<void> {
  if (action.isFinal === true && options.yes !== true) {
    throw new Failure(
      `This cannot be undone. To go ahead, add --yes: account ${options.name} ${names.join(' ')} --yes`,
    );
  }
  const moderation = await loadModeration();
  await withApp(commandConfig(), commandLog(), async (app) => {
    // A misspelt name is found before anything is done.
    const targets: Target[] = [];
    for (const name of names) targets.push(await requireTarget(app, name, action.evenRemote === true));
    for (const { accountId, acct } of targets) {
      const changed = await moderation[action.run](app, 'system', {
        accountId,
        text: options.text,
        notify: options.notify,
      });
      print(options, { account: acct, id: accountId, changed }, () => [
        `@${acct} ${changed ? action.done : action.otherwise}.`,
      ]);
    }
  });
}

async function changeRole(name: string, role: StandardRole, options: OutputOptions): Promise<void> {
  const { changeUserRole } = await loadModeration();
  await withApp(commandConfig(), commandLog(), async (app) => {
    const { accountId, acct } = await requireTarget(app, name, false);
    const changed = await changeUserRole(app, 'system', { accountId, role });
    print(options, { account: acct, id: accountId, role, changed }, () => [
      `@${acct} ${changed ? 'has' : 'had'} the role ${role}${changed ? '' : ' already'}.`,
    ]);
  });
}

interface Target {
  readonly accountId: AccountId;
  readonly acct: string;
}

/** Finds an account by `name` or `name@domain`, also one whose sign-up waits. Throws Failure if there is none. */
async function requireTarget(app: App, name: string, evenRemote: boolean): Promise<Target> {
  const handle = readHandle(app, name);
  if (handle === undefined)
    throw new Failure(`${name} is not the name of an account, such as alice or bob@example.org.`);
  const { username, domain } = handle;
  if (domain !== null && !evenRemote) throw new Failure(`${name} is not an account of this server.`);
  const { rows } = await sql<Target>`
    select id as "accountId", username || coalesce('@' || domain, '') as acct from accounts
    where lower(username) = lower(${username}) and coalesce(domain, '') = ${domain ?? ''} and deleted_at is null`.execute(
    app.db,
  );
  const [target] = rows;
  if (target === undefined) throw new Failure(`There is no account ${name}.`);
  return target;
}
