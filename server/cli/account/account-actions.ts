import type { Command } from 'commander';
import { type AnyId, isId } from '../../platform/ids.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, printEach, type OutputOptions } from '../output.ts';
import { loadTargetAccount, type TargetAccount } from './load-target-account.ts';
import { loadTargetRole } from './load-target-role.ts';

interface ActionOptions extends OutputOptions {
  readonly text?: string;
  readonly notify?: boolean;
  readonly report?: string;
  readonly preset?: string;
  readonly yes?: boolean;
}

/** Loaded only by the commands that need it, so that `account create` starts fast. */
const loadModeration = () => import('../../moderation/index.ts');

interface AccountAction {
  readonly description: string;
  /** The use case, which returns whether anything changed. */
  readonly run:
    | 'approveSignUp'
    | 'rejectSignUp'
    | 'disableUser'
    | 'enableUser'
    | 'warnUser'
    | 'sensitizeAccount'
    | 'unsensitizeAccount'
    | 'silenceAccount'
    | 'unsilenceAccount'
    | 'suspendAccount'
    | 'unsuspendAccount'
    | 'deleteAccountAsStaff';
  readonly changedMessage: string;
  readonly unchangedMessage: string;
  /** Whether the user gets a mail by default; undefined for actions that send none. */
  readonly mailsByDefault?: boolean;
  /** Also accepts remote accounts. */
  readonly allowRemote?: boolean;
  /** A decision against the account: a strike, which may answer a report and reuse a stored text. */
  readonly isStrike?: boolean;
  /** Requires --yes. */
  readonly isIrreversible?: boolean;
}

const actions: Readonly<Record<string, AccountAction>> = {
  approve: {
    description: 'Approve pending sign-ups: see account list --pending',
    run: 'approveSignUp',
    changedMessage: 'is approved',
    unchangedMessage: 'was already approved',
    mailsByDefault: true,
  },
  reject: {
    description: 'Reject pending sign-ups. Their usernames and e-mail addresses can be used again',
    run: 'rejectSignUp',
    changedMessage: 'is rejected',
    unchangedMessage: 'was already rejected',
    mailsByDefault: false,
  },
  disable: {
    description: 'Sign users out and refuse their sign-ins and tokens; their accounts stay visible',
    run: 'disableUser',
    changedMessage: 'is disabled',
    unchangedMessage: 'was already disabled',
    mailsByDefault: true,
    isStrike: true,
  },
  enable: {
    description: 'Let disabled users sign in again',
    run: 'enableUser',
    changedMessage: 'is enabled',
    unchangedMessage: 'was not disabled',
  },
  warn: {
    description: 'Warn users, without another consequence',
    run: 'warnUser',
    changedMessage: 'is warned',
    unchangedMessage: 'was not warned',
    mailsByDefault: true,
    isStrike: true,
  },
  sensitize: {
    description: 'Show all media of local or remote (name@domain) accounts as sensitive. Can be undone',
    run: 'sensitizeAccount',
    changedMessage: 'is marked as sensitive',
    unchangedMessage: 'was already marked as sensitive',
    mailsByDefault: true,
    allowRemote: true,
    isStrike: true,
  },
  unsensitize: {
    description: 'Show the media of accounts as their posts say again',
    run: 'unsensitizeAccount',
    changedMessage: 'is no longer marked as sensitive',
    unchangedMessage: 'was not marked as sensitive',
    allowRemote: true,
  },
  silence: {
    description: 'Limit local or remote (name@domain) accounts to their followers. Can be undone',
    run: 'silenceAccount',
    changedMessage: 'is limited',
    unchangedMessage: 'was already limited',
    mailsByDefault: true,
    allowRemote: true,
    isStrike: true,
  },
  unsilence: {
    description: 'Lift the limit of accounts; that of their domain stays',
    run: 'unsilenceAccount',
    changedMessage: 'is no longer limited by the staff',
    unchangedMessage: 'was not limited by the staff',
    allowRemote: true,
  },
  suspend: {
    description: 'Hide local or remote (name@domain) accounts and their posts. Can be undone',
    run: 'suspendAccount',
    changedMessage: 'is suspended',
    unchangedMessage: 'was already suspended',
    mailsByDefault: true,
    allowRemote: true,
    isStrike: true,
  },
  unsuspend: {
    description: 'Show suspended accounts and their posts again',
    run: 'unsuspendAccount',
    changedMessage: 'is no longer suspended',
    unchangedMessage: 'was not suspended',
    allowRemote: true,
  },
  delete: {
    description: 'Delete accounts and all their data permanently',
    run: 'deleteAccountAsStaff',
    changedMessage: 'is deleted',
    unchangedMessage: 'was already deleted',
    allowRemote: true,
    isIrreversible: true,
  },
};

/** Adds the moderation commands to the `account` group. */
export function addAccountActions(group: Command): void {
  for (const [name, action] of Object.entries(actions)) {
    const command = group.command(`${name} <names...>`).description(action.description);
    if (action.mailsByDefault !== undefined) command.option('--text <text>', 'message to add to the mail');
    if (action.mailsByDefault === true) command.option('--no-notify', 'do not notify the user by mail');
    if (action.mailsByDefault === false) command.option('--notify', 'notify the user by mail');
    if (action.isStrike === true) {
      command.option('--report <id>', 'report about the account that the decision answers');
      command.option('--preset <id>', 'stored text that precedes --text: see preset list');
    }
    if (action.isIrreversible === true) command.option('--yes', 'confirm; this cannot be undone');
    command
      .option(...jsonOption)
      .action((names: string[], options: ActionOptions) => runAction(names, action, { ...options, name }));
  }
  group
    .command('role <name> <role>')
    .description('Assign a role to a user: user, or one of role list')
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
      `This cannot be undone. To confirm, add --yes: account ${options.name} ${names.join(' ')} --yes`,
    );
  }
  const [reportId, presetId] = [parseId(options.report), parseId(options.preset)];
  if (reportId !== undefined && names.length > 1) throw new CliError('--report needs a single account.');
  const moderation = await loadModeration();
  await withCommandApp(options, async (app) => {
    // All names are checked before the first change.
    const targets: TargetAccount[] = [];
    for (const name of names) targets.push(await loadTargetAccount(app, name, action.allowRemote === true));
    await printEach(options, targets, async ({ accountId, acct }) => {
      const decision = {
        accountId,
        text: options.text,
        notify: options.notify,
        reportId: reportId,
        presetId: presetId,
      };
      const changed = await moderation[action.run](app, 'system', decision).catch(
        rethrowUnknown(acct, { reportId, presetId }),
      );
      return {
        value: { account: acct, id: accountId, changed },
        text: [`@${acct} ${changed ? action.changedMessage : action.unchangedMessage}.`],
      };
    });
  });
}

/** Turns a 404 into an error that names the report or text that does not exist. */
const rethrowUnknown =
  (acct: string, { reportId, presetId }: { reportId: string | undefined; presetId: string | undefined }) =>
  (error: unknown): never => {
    if (!isNotFound(error) || (reportId ?? presetId) === undefined) throw error;
    const problems = [
      ...(reportId === undefined ? [] : [`there is no report ${reportId} about @${acct}`]),
      ...(presetId === undefined ? [] : [`there is no text ${presetId}`]),
    ];
    throw new CliError(`Unknown: ${problems.join(', or ')}.`);
  };

function parseId(text: string | undefined): AnyId | undefined {
  if (text !== undefined && !isId(text)) throw new CliError(`Invalid id: ${text}`);
  return text;
}

async function changeRole(name: string, roleName: string, options: OutputOptions): Promise<void> {
  const { changeUserRole } = await loadModeration();
  await withCommandApp(options, async (app) => {
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const role = await loadTargetRole(app, roleName);
    const changed = await changeUserRole(app, 'system', { accountId, roleId: role.id });
    print(options, { account: acct, id: accountId, role: role.label, changed }, () => [
      `@${acct} ${changed ? 'now' : 'already'} has the role ${role.label}.`,
    ]);
  });
}
