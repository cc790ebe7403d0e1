import type { Command } from 'commander';
import type { App } from '../../platform/app.ts';
import { dateFromId } from '../../platform/ids.ts';
import { jsonOption, print, type OutputOptions } from '../output.ts';
import { withCommandApp } from '../open/command-app.ts';
import { createProgressBar } from '../progress-bar.ts';

export function addSearchCommands(group: Command): void {
  group
    .command('reindex')
    .alias('rebuild')
    .description('Index all posts again, newest first, while the server runs. It may be stopped and started again')
    .option(...jsonOption)
    .action(async (options: OutputOptions) => {
      const bar = createProgressBar(options);
      const result = await withCommandApp(options, (app) => reindex(app, bar.show)).finally(bar.end);
      print(options, result, () => [`Indexed ${result.batches} batches of posts in ${result.seconds} s.`]);
    });
}

const maxBigint = '9223372036854775807';

async function reindex(
  app: App,
  progress: (step: string, share: number) => void,
): Promise<{ batches: number; seconds: number }> {
  const { reindexBatch } = await import('../../search/index.ts');
  const began = Date.now();
  const oldest = await app.db.selectFrom('statuses').select('id').orderBy('id').limit(1).executeTakeFirst();
  const start = oldest === undefined ? began : dateFromId(oldest.id).getTime();
  let batches = 0;
  for (let before = await reindexBatch(app, maxBigint); before !== undefined;) {
    batches += 1;
    progress('Indexing posts', (began - dateFromId(before).getTime()) / Math.max(began - start, 1));
    before = await reindexBatch(app, before);
  }
  return { batches, seconds: Math.round((Date.now() - began) / 100) / 10 };
}
