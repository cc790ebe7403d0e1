import { Option, type Command } from 'commander';
import {
  createIpBlock,
  deleteIpBlock,
  findIpBlockId,
  isWideNetwork,
  listIpBlocks,
  updateIpBlock,
  type IpBlockSeverity,
} from '../../users/ip-blocks/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { confirm, yesOption, type ConfirmOptions } from '../confirm.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseId, parseLimit, parsePositiveInteger } from '../parse-options.ts';

interface AddOptions extends OutputOptions, ConfirmOptions {
  readonly severity: IpBlockSeverity;
  readonly comment?: string;
  readonly expiresIn?: number;
}

const effects: Readonly<Record<IpBlockSeverity, string>> = {
  sign_up_requires_approval: 'staff will have to approve sign-ups from them',
  sign_up_block: 'they can no longer be used to sign up',
  no_access: 'they can no longer reach this server, except owners who sign in',
};

export function addIpBlockCommands(group: Command): void {
  group
    .command('add <network>')
    .description('Block an address or a network such as 192.0.2.0/24, or change its block')
    .addOption(
      new Option('--severity <severity>', 'no_access refuses every request')
        .choices(['sign_up_requires_approval', 'sign_up_block', 'no_access'])
        .makeOptionMandatory(),
    )
    .option('--comment <text>', 'note for staff')
    .option('--expires-in <seconds>', 'ends after this time; never by default', parsePositiveInteger)
    .option(...yesOption)
    .option(...jsonOption)
    .action(add);
  group
    .command('remove <network>')
    .description('Remove the block of exactly this address or network')
    .option(...jsonOption)
    .action(remove);
  group
    .command('list')
    .description('List the blocks, newest first')
    .option('--before <id>', 'only blocks older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(list);
}

async function add(network: string, { severity, comment, expiresIn, ...options }: AddOptions): Promise<void> {
  if (isWideNetwork(network)) await confirm(options, `${network} has a great many addresses: ${effects[severity]}.`);
  await withCommandApp(options, async (app) => {
    const id = await findIpBlockId(app, network);
    const input = { ip: network, severity, comment, expiresIn: expiresIn ?? null };
    const block =
      id === undefined
        ? await createIpBlock(app, 'system', input)
        : await updateIpBlock(app, 'system', { ...input, id });
    print(options, block, () => [`${block.ip} is blocked (${block.severity}).`]);
  });
}

async function remove(network: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const id = await findIpBlockId(app, network);
    if (id === undefined) throw new CliError(`Not blocked: ${network}`);
    await deleteIpBlock(app, 'system', id);
    print(options, { ip: network, changed: true }, () => [`${network} is no longer blocked.`]);
  });
}

async function list({
  before,
  limit,
  ...options
}: OutputOptions & { readonly before?: string; readonly limit: number }): Promise<void> {
  await withReadingApp(options, async (app) => {
    const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
    const { blocks } = await listIpBlocks(app, page);
    print(options, blocks, () =>
      blocks.length === 0
        ? ['No IP address is blocked.']
        : formatTable(
            blocks.map(({ id, ip, severity, expires_at, comment }) => ({ id, ip, severity, expires_at, comment })),
          ),
    );
  });
}
