import type { Command } from 'commander';
import {
  checkUsername,
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlockId,
  listUsernameBlocks,
  updateUsernameBlock,
} from '../../users/username-blocks/index.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseId, parseLimit } from '../parse-options.ts';

interface AddOptions extends OutputOptions {
  readonly contains?: boolean;
  readonly allowWithApproval?: boolean;
}

export function addUsernameBlockCommands(group: Command): void {
  group
    .command('add <username>')
    .description(
      'Block a username for sign-ups and groups, or change its block. Digits that look like letters count as these',
    )
    .option('--contains', 'also block all names that contain it')
    .option('--allow-with-approval', 'hold sign-ups for approval instead of refusing them')
    .option(...jsonOption)
    .action(add);
  group
    .command('remove <username>')
    .description('Remove the block of a username')
    .option(...jsonOption)
    .action(remove);
  group
    .command('list')
    .description('List the blocked usernames, newest first')
    .option('--before <id>', 'only blocks older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(list);
  group
    .command('test <username>')
    .description('Show whether a username could be used to sign up')
    .option(...jsonOption)
    .action(testUsername);
}

async function add(username: string, { contains, allowWithApproval, ...options }: AddOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const id = await findUsernameBlockId(app, username);
    const input = {
      username,
      comparison: contains === true ? 'contains' : 'equals',
      allowWithApproval: allowWithApproval ?? false,
    } as const;
    const block =
      id === undefined
        ? await createUsernameBlock(app, 'system', input)
        : await updateUsernameBlock(app, 'system', { ...input, id });
    const names = contains === true ? `names with ${block.username} in them` : `the name ${block.username}`;
    const effect = allowWithApproval === true ? 'wait for approval' : 'are refused';
    print(options, block, () => [`Sign-ups with ${names} ${effect}.`]);
  });
}

async function remove(username: string, options: OutputOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const id = await findUsernameBlockId(app, username);
    if (id === undefined) throw new CliError(`Not blocked: ${username}`);
    await deleteUsernameBlock(app, 'system', id);
    print(options, { username, changed: true }, () => [`${username} is no longer blocked.`]);
  });
}

async function list({
  before,
  limit,
  ...options
}: OutputOptions & { readonly before?: string; readonly limit: number }): Promise<void> {
  await withReadingApp(options, async (app) => {
    const page = { limit, maxId: before, sinceId: undefined, minId: undefined };
    const { blocks } = await listUsernameBlocks(app, page);
    print(options, blocks, () =>
      blocks.length === 0
        ? ['No username is blocked.']
        : formatTable(
            blocks.map(({ id, username, comparison, allow_with_approval }) => ({
              id,
              username,
              comparison,
              allow_with_approval,
            })),
          ),
    );
  });
}

const verdicts = {
  allowed: 'is allowed',
  needs_approval: 'is held for approval',
  blocked: 'is refused: it is blocked',
  reserved: 'is refused: it is reserved for an address of this server',
} as const;

async function testUsername(username: string, options: OutputOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const verdict = await checkUsername(app, username);
    print(options, { username, verdict }, () => [`${username} ${verdicts[verdict]}.`]);
  });
}
