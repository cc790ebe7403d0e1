import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { withCommandApp } from '../open/command-app.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { loadTargetAccount } from './load-target-account.ts';

interface FollowOptions extends OutputOptions {
  readonly announce?: string;
}

interface ResetOptions extends OutputOptions {
  readonly follows?: boolean;
  readonly followers?: boolean;
  readonly yes?: boolean;
}

const loadFollows = () => import('../../relationships/follow/index.ts');

/** Adds the commands that begin and end follows to the `account` group. */
export function addRelationshipCommands(group: Command): void {
  group
    .command('follow <followers> <name>')
    .description('Let every active user (ALL) follow a local or remote account; those who block or mute it do not')
    .option('--announce <text>', 'also publish this announcement to all users')
    .option(...jsonOption)
    .action(follow);
  group
    .command('reset-relationships <name>')
    .description('End the follows of a local account, by others, or both. Other servers are notified')
    .option('--follows', 'the accounts that it follows, and its requests')
    .option('--followers', 'those that follow it')
    .option('--yes', 'confirm; this cannot be undone')
    .option(...jsonOption)
    .action(reset);
}

async function follow(followers: string, name: string, { announce, ...options }: FollowOptions): Promise<void> {
  // One who is named decides alone.
  if (followers !== 'ALL') throw new CliError('Only ALL can be made to follow: account follow ALL <name>');
  await withCommandApp(options, async (app) => {
    const { followForEveryone } = await loadFollows();
    const { accountId: targetId, acct } = await loadTargetAccount(app, name, true);
    const result = await followForEveryone(app, 'system', { targetId });
    if (announce !== undefined) {
      const { createAnnouncement } = await import('../../announcements/index.ts');
      await createAnnouncement(app, 'system', { text: announce });
    }
    print(options, { account: acct, id: targetId, ...result }, () => [
      `${result.following} users follow @${acct} now, ${result.requested} requested to, ${result.skipped} cannot.`,
      ...(announce === undefined ? [] : ['The announcement is published.']),
    ]);
  });
}

async function reset(
  name: string,
  { follows = false, followers = false, yes, ...options }: ResetOptions,
): Promise<void> {
  if (!follows && !followers) throw new CliError('Pass --follows, --followers or both.');
  if (yes !== true) throw new CliError('This cannot be undone. To confirm, add --yes.');
  await withCommandApp(options, async (app) => {
    const { resetRelationships } = await loadFollows();
    const { accountId, acct } = await loadTargetAccount(app, name, false);
    const end = (side: 'follows' | 'followers') => resetRelationships(app, 'system', { accountId, side });
    const ended = { follows: follows ? await end('follows') : 0, followers: followers ? await end('followers') : 0 };
    print(options, { account: acct, id: accountId, ...ended }, () => [
      ...(follows ? [`@${acct} no longer follows ${ended.follows} accounts.`] : []),
      ...(followers ? [`${ended.followers} accounts no longer follow @${acct}.`] : []),
    ]);
  });
}
