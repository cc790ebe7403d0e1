import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import type { SignInProvider } from '../../platform/sign-in-providers.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { loadTargetAccount } from './load-target-account.ts';

const loadCredentials = () => import('../../moderation/credentials/index.ts');

/** Adds the commands for accounts at sign-in providers, and for links to sign in, to the `account` group. */
export function addSignInCommands(group: Command): void {
  group
    .command('linked-sign-ins <name>')
    .description('List the accounts at providers with which a user signs in')
    .option(...jsonOption)
    .action(listLinked);
  group
    .command('link <name> <provider> <subject>')
    .description('Link an account at a provider of SIGN_IN_PROVIDERS to a user, by what the provider calls the person')
    .option(...jsonOption)
    .action(link);
  group
    .command('unlink <name> <provider>')
    .description('Unlink the account of a user at a provider. Sessions stay: see account sessions')
    .option(...jsonOption)
    .action(unlink);
  group
    .command('sign-in-link <name>')
    .description('Print a link that signs a user in once, within half an hour, also while the providers do not answer')
    .option(...jsonOption)
    .action(createLink);
}

async function listLinked(name: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const { listIdentities } = await import('../../users/identity-providers/index.ts');
    const user = await app.db.selectFrom('users').select('id').where('account_id', '=', accountId).executeTakeFirst();
    const identities = user === undefined ? [] : await listIdentities(app, user.id);
    const rows = identities.map(({ provider, issuer, subject, email, createdAt, lastUsedAt }) => ({
      provider: provider ?? null,
      issuer,
      subject,
      email,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    }));
    print(options, rows, () => (rows.length === 0 ? [`@${acct} has no linked sign-in.`] : formatTable(rows)));
  });
}

async function link(name: string, providerName: string, subject: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const provider = requireProvider(app, providerName);
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const { linkIdentityAsStaff } = await loadCredentials();
    await linkIdentityAsStaff(app, 'system', { accountId, provider, subject });
    print(options, { account: acct, id: accountId, provider: provider.name, subject }, () => [
      `@${acct} signs in with ${provider.name} as ${subject}.`,
    ]);
  });
}

async function unlink(name: string, providerName: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const provider = requireProvider(app, providerName);
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const { unlinkIdentityAsStaff } = await loadCredentials();
    const changed = await unlinkIdentityAsStaff(app, 'system', { accountId, provider });
    print(options, { account: acct, id: accountId, provider: provider.name, changed }, () => [
      changed ? `@${acct} can no longer sign in with ${provider.name}.` : `@${acct} was not linked to it.`,
    ]);
  });
}

async function createLink(name: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const { createSignInLinkAsStaff } = await loadCredentials();
    const url = await createSignInLinkAsStaff(app, 'system', { accountId });
    print(options, { account: acct, id: accountId, url }, () => [url]);
  });
}

function requireProvider({ config }: App, name: string): SignInProvider {
  const provider = config.signInProviders.find((each) => each.name === name);
  if (provider === undefined) throw new CliError(`Unknown provider: ${name}. SIGN_IN_PROVIDERS does not name it.`);
  return provider;
}
