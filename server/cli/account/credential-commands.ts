import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { isId } from '../../platform/ids.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { generatePassword } from './generate-password.ts';
import { loadTargetAccount, type TargetAccount } from './load-target-account.ts';

interface SessionOptions extends OutputOptions {
  readonly revoke?: string;
  readonly revokeAll?: boolean;
}

const loadCredentials = () => import('../../moderation/credentials/index.ts');

/** Adds the commands for passwords, e-mail addresses, second factors, sessions and keys to the `account` group. */
export function addCredentialCommands(group: Command): void {
  group
    .command('reset-password <name>')
    .description('Set a new password, and sign out all browsers and apps. Without --password, prints a random one')
    .option('--password <password>', 'password, at least 8 characters')
    .option(...jsonOption)
    .action(resetPassword);
  group
    .command('change-email <name> <email>')
    .description('Change the e-mail address of a user, once the link in a mail confirms it; the old one is notified')
    .option('--confirmed', 'no link is needed: the address counts at once')
    .option(...jsonOption)
    .action(changeEmail);
  group
    .command('confirm <name>')
    .description('Confirm the e-mail address of a user, or the new one that waits, without the link in the mail')
    .option(...jsonOption)
    .action(confirmEmail);
  group
    .command('resend-confirmation <name>')
    .description('Send the link again that confirms the e-mail address of a user')
    .option(...jsonOption)
    .action(resendConfirmation);
  group
    .command('disable-2fa <name>')
    .description('Remove the authenticator app, passkeys and recovery codes of a user who lost them')
    .option(...jsonOption)
    .action(disableSecondFactor);
  group
    .command('sessions <name>')
    .description('List the browsers in which a user is signed in, or sign them out')
    .option('--revoke <id>', 'sign out one browser')
    .option('--revoke-all', 'sign out all browsers')
    .option(...jsonOption)
    .action(manageSessions);
  group
    .command('rotate-keys <name>')
    .description('Replace the keys that sign the activities of an account, and tell the servers of its followers')
    .option(...jsonOption)
    .action(rotateKeys);
}

async function resetPassword(name: string, options: OutputOptions & { password?: string }): Promise<void> {
  const password = options.password ?? generatePassword();
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { resetPasswordAsStaff } = await loadCredentials();
    await resetPasswordAsStaff(app, 'system', { accountId, password });
    const shown = options.password === undefined ? { password } : {};
    print(options, { account: acct, id: accountId, ...shown }, () => [
      `@${acct} has a new password, and was signed out everywhere.`,
      ...(options.password === undefined ? [`Password: ${password}`] : []),
    ]);
  });
}

async function changeEmail(
  name: string,
  email: string,
  { confirmed: isConfirmed = false, ...options }: OutputOptions & { readonly confirmed?: boolean },
): Promise<void> {
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { changeEmailAsStaff } = await loadCredentials();
    await changeEmailAsStaff(app, 'system', { accountId, email, isConfirmed });
    print(options, { account: acct, id: accountId, email, confirmed: isConfirmed }, () => [
      isConfirmed ? `@${acct} has the address ${email}.` : `${email} gets a link that confirms it for @${acct}.`,
    ]);
  });
}

async function confirmEmail(name: string, options: OutputOptions): Promise<void> {
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { confirmEmailAsStaff } = await loadCredentials();
    const changed = await confirmEmailAsStaff(app, 'system', { accountId });
    print(options, { account: acct, id: accountId, changed }, () => [
      changed ? `The address of @${acct} is confirmed.` : `The address of @${acct} was already confirmed.`,
    ]);
  });
}

async function resendConfirmation(name: string, options: OutputOptions): Promise<void> {
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { resendConfirmationAsStaff } = await loadCredentials();
    const email = await resendConfirmationAsStaff(app, 'system', { accountId });
    print(options, { account: acct, id: accountId, email }, () => [`${email} gets the link again.`]);
  });
}

async function disableSecondFactor(name: string, options: OutputOptions): Promise<void> {
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { disableSecondFactorAsStaff } = await loadCredentials();
    const changed = await disableSecondFactorAsStaff(app, 'system', { accountId });
    print(options, { account: acct, id: accountId, changed }, () => [
      changed ? `@${acct} signs in with the password alone now.` : `@${acct} had no second factor.`,
    ]);
  });
}

async function manageSessions(name: string, options: SessionOptions): Promise<void> {
  const { revoke, revokeAll = false } = options;
  if (revoke !== undefined && !isId(revoke)) throw new CliError(`Invalid session id: ${revoke}`);
  await withTarget(name, options, async (app, target) => {
    if (revoke === undefined && !revokeAll) return printSessions(app, target, options);
    const { accountId, acct } = target;
    const { revokeSessionsAsStaff } = await loadCredentials();
    const sessionId = revoke;
    const revoked = await revokeSessionsAsStaff(app, 'system', { accountId, sessionId });
    if (revoke !== undefined && revoked === 0) throw new CliError(`@${acct} has no session ${revoke}.`);
    print(options, { account: acct, id: accountId, revoked }, () => [
      `@${acct} was signed out of ${revoked} ${revoked === 1 ? 'browser' : 'browsers'}.`,
    ]);
  });
}

async function printSessions(app: App, { accountId, acct }: TargetAccount, options: OutputOptions): Promise<void> {
  const { listSessions } = await import('../../users/sessions/index.ts');
  const user = await app.db.selectFrom('users').select('id').where('account_id', '=', accountId).executeTakeFirst();
  const sessions = user === undefined ? [] : await listSessions(app, user.id);
  const rows = sessions.map(({ id, ip, userAgent, createdAt, lastUsedAt }) => ({
    id,
    ip,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    user_agent: userAgent,
  }));
  print(options, rows, () => (rows.length === 0 ? [`@${acct} is signed in nowhere.`] : formatTable(rows)));
}

async function rotateKeys(name: string, options: OutputOptions): Promise<void> {
  await withTarget(name, options, async (app, { accountId, acct }) => {
    const { replaceKeys } = await import('../../accounts/keys/index.ts');
    await replaceKeys(app, accountId);
    print(options, { account: acct, id: accountId }, () => [`@${acct} has new keys.`]);
  });
}

async function withTarget(
  name: string,
  options: OutputOptions,
  run: (app: App, target: TargetAccount) => Promise<void>,
): Promise<void> {
  await withCommandApp(options, async (app) => run(app, await loadTargetAccount(app, name, false)));
}
