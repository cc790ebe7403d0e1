import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { isId, type StatusId } from '../../platform/ids.ts';
import { CliError } from '../cli-error.ts';
import { withCommandApp, withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseId, parseLimit } from '../parse-options.ts';

interface ListOptions extends OutputOptions {
  readonly before?: string;
  readonly limit: number;
}

const excerptLength = 80;
const loadHeldPosts = () => import('../../statuses/held/index.ts');
const loadDecisions = () => import('../../moderation/held-posts/index.ts');

export function addHeldPostCommands(group: Command): void {
  group
    .command('list')
    .description('List the posts that wait, newest first')
    .option('--before <id>', 'only posts older than this one', parseId)
    .option('--limit <number>', 'maximum number', parseLimit, 100)
    .option(...jsonOption)
    .action(list);
  group
    .command('count')
    .description('Print how many posts wait, at most 1,000')
    .option(...jsonOption)
    .action((options: OutputOptions) =>
      withReadingApp(options, async (app) => {
        const { countHeldPosts } = await loadHeldPosts();
        const count = await countHeldPosts(app);
        print(options, { count }, () => [String(count)]);
      }),
    );
  group
    .command('approve <id>')
    .description('Publish a post, or its whole thread')
    .option(...jsonOption)
    .action((id: string, options: OutputOptions) =>
      decide(id, options, async (app, heldId) => (await loadDecisions()).approveHeldPost(app, 'system', heldId)),
    );
  group
    .command('reject <id>')
    .description('Reject a post, or its whole thread, and tell its local author by mail')
    .option('--text <text>', 'for the author')
    .option(...jsonOption)
    .action((id: string, { text, ...options }: OutputOptions & { readonly text?: string }) =>
      decide(id, options, async (app, heldId) =>
        (await loadDecisions()).refuseHeldPost(app, 'system', { id: heldId, text }),
      ),
    );
}

async function list({ before, limit, ...options }: ListOptions): Promise<void> {
  await withCommandApp(options, async (app) => {
    const { listHeldPosts } = await loadHeldPosts();
    const { rows } = await listHeldPosts(app, 'pending', {
      limit,
      maxId: before,
      sinceId: undefined,
      minId: undefined,
    });
    const posts = rows.map(
      ({ id, thread_id, account_id, uri, created_at, preview: { text, content, visibility } }) => ({
        id,
        thread_id,
        account_id,
        created_at,
        visibility,
        uri,
        text: text === '' ? content : text,
      }),
    );
    print(options, posts, () =>
      posts.length === 0
        ? ['No post waits for review.']
        : formatTable(
            posts.map(({ text, ...post }) => ({ ...post, text: text.slice(0, excerptLength).replaceAll('\n', ' ') })),
          ),
    );
  });
}

async function decide(
  id: string,
  options: OutputOptions,
  run: (app: App, id: StatusId) => Promise<unknown>,
): Promise<void> {
  await withCommandApp(options, async (app) => {
    if (!isId(id)) throw new CliError(`Unknown held post: ${id}`);
    const heldId = id;
    try {
      await run(app, heldId);
    } catch (error) {
      if (error instanceof HttpError)
        throw new CliError(error.status === 404 ? `Unknown held post: ${id}` : error.message);
      throw error;
    }
    const { requireHeldPost } = await loadHeldPosts();
    const { state, status_id: statusId } = await requireHeldPost(app, heldId);
    print(options, { id, state, status_id: statusId }, () => [`Post ${id} is ${state}.`]);
  });
}
