import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import {
  checkEmail,
  createCanonicalEmailBlock,
  createEmailDomainBlock,
  deleteCanonicalEmailBlock,
  deleteEmailDomainBlock,
  findMailHosts,
  listCanonicalEmailBlocks,
  listEmailDomainBlocks,
} from '../../users/email-blocks/index.ts';
import { CliError, isNotFound } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, printEach, type OutputOptions } from '../output.ts';
import { parseId, parseLimit } from '../parse-options.ts';

interface AddOptions extends OutputOptions {
  readonly allowWithApproval?: boolean;
  readonly withMailServers?: boolean;
}

interface ListOptions extends OutputOptions {
  readonly before?: string;
  readonly limit: number;
}

export function addEmailBlockCommands(group: Command): void {
  group
    .command('add <domain>')
    .description('Block the e-mail addresses of a domain and its subdomains, or of all domains with this mail server')
    .option('--allow-with-approval', 'hold sign-ups for approval instead of refusing them')
    .option('--with-mail-servers', 'also block the mail servers of the domain, and with them its other domains')
    .option(...jsonOption)
    .action(addDomain);
  group
    .command('remove <domain>')
    .description('Remove the block of an e-mail domain')
    .option(...jsonOption)
    .action(removeDomain);
  addList(group, 'list', 'List the blocked e-mail domains, latest first', listDomains);
  group
    .command('add-address <email>')
    .description('Block an e-mail address, also with other dots or another +tag. Only its hash is stored')
    .option(...jsonOption)
    .action(addAddress);
  group
    .command('remove-address <email>')
    .description('Remove the block of an e-mail address')
    .option(...jsonOption)
    .action(removeAddress);
  addList(group, 'list-addresses', 'List the hashes of the blocked e-mail addresses, latest first', listAddresses);
  group
    .command('test <email>')
    .description('Show whether an e-mail address could be used to sign up')
    .option(...jsonOption)
    .action(testAddress);
}

const addList = (
  group: Command,
  name: string,
  description: string,
  run: (options: ListOptions) => Promise<void>,
): Command =>
  group
    .command(name)
    .description(description)
    .option('--before <id>', 'only blocks older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(run);

async function addDomain(name: string, { allowWithApproval, withMailServers, ...options }: AddOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const hosts = withMailServers === true ? await requireMailHosts(app, name) : [];
    const effect = allowWithApproval === true ? 'wait for approval' : 'are refused';
    await printEach(options, [name, ...hosts], async (domain) => {
      const changed = await createEmailDomainBlock(app, 'system', { domain, allowWithApproval }).then(
        () => true,
        (error: unknown) => ignoreTaken(error, domain === name),
      );
      return {
        value: { domain, changed },
        text: [changed ? `Sign-ups with ${domain} ${effect}.` : `${domain} was already blocked.`],
      };
    });
  });
}

/** A mail server may be blocked already, or may be the domain itself. */
function ignoreTaken(error: unknown, isRequired: boolean): false {
  if (!isRequired && error instanceof HttpError && error.status === 422) return false;
  throw error;
}

async function requireMailHosts(app: App, domain: string): Promise<readonly string[]> {
  const hosts = await findMailHosts(app, domain);
  if (hosts === undefined) throw new CliError(`The mail servers of ${domain} could not be resolved. Try again later.`);
  return hosts;
}

async function removeDomain(domain: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    await deleteEmailDomainBlock(app, 'system', { domain }).catch(rethrowMissing(domain));
    print(options, { domain, changed: true }, () => [`${domain} is no longer blocked.`]);
  });
}

async function listDomains({ before, limit, ...options }: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const { blocks } = await listEmailDomainBlocks(app, { limit, maxId: before, sinceId: undefined, minId: undefined });
    const rows = blocks.map(({ id, domain, allow_with_approval, history }) => ({
      id,
      domain,
      allow_with_approval,
      caught_in_a_week: history.reduce((sum, { uses }) => sum + Number(uses), 0),
    }));
    print(options, blocks, () => (rows.length === 0 ? ['No e-mail domain is blocked.'] : formatTable(rows)));
  });
}

async function addAddress(email: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const block = await createCanonicalEmailBlock(app, 'system', { email });
    print(options, block, () => [`${email} is blocked.`]);
  });
}

async function removeAddress(email: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    await deleteCanonicalEmailBlock(app, 'system', { email }).catch(rethrowMissing(email));
    print(options, { email, changed: true }, () => [`${email} is no longer blocked.`]);
  });
}

async function listAddresses({ before, limit, ...options }: ListOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
    const { blocks } = await listCanonicalEmailBlocks(app, page);
    print(options, blocks, () => (blocks.length === 0 ? ['No e-mail address is blocked.'] : formatTable(blocks)));
  });
}

const verdicts = {
  allowed: 'is allowed',
  needs_approval: 'is held for approval',
  blocked_domain: 'is refused: its domain or mail server is blocked',
  blocked_address: 'is refused: the address is blocked',
} as const;

async function testAddress(email: string, options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    if (!/^[^@\s]+@[^@\s]+$/.test(email))
      throw new CliError(`Not an e-mail address: ${email}. Pass one such as alice@example.org.`);
    const verdict = await checkEmail(app, email);
    print(options, { email, verdict }, () => [`${email} ${verdicts[verdict]}.`]);
  });
}

const rethrowMissing =
  (name: string) =>
  (error: unknown): never => {
    if (isNotFound(error)) throw new CliError(`Not blocked: ${name}`);
    throw error;
  };
