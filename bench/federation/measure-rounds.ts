import type pg from 'pg';
import { options } from './options.ts';
import { renderStatements, type Measured } from './report.ts';
import { countStatements } from '../statements.ts';

/** A case that can be measured again and again. */
interface RunnableCase<Case, Result> {
  readonly item: Case;
  /** Operations of a run. */
  readonly times: number;
  readonly run: () => Promise<Result>;
}

const printStatus = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs all cases by turns: once to warm up, unless that is not needed, and then the rounds. */
export async function measureByTurns<Case extends { readonly name: string }, Result>(
  cases: readonly Pick<RunnableCase<Case, Result>, 'item' | 'run'>[],
  { warmsUp = true } = {},
): Promise<{ readonly item: Case; readonly rounds: readonly Result[] }[]> {
  const results = cases.map(({ item }) => ({ item, rounds: [] as Result[] }));
  for (let round = warmsUp ? 0 : 1; round <= options.rounds; round += 1) {
    for (const [place, { item, run }] of cases.entries()) {
      printStatus(round === 0 ? `Warming up: ${item.name}` : `Round ${round} of ${options.rounds}: ${item.name}`);
      const result = await run();
      printStatus(`  ${JSON.stringify(result)}`);
      if (round > 0) results[place]?.rounds.push(result);
    }
  }
  return results;
}

/** Runs all cases by turns, and then once more to count their statements. */
export async function measureWithStatements<Case extends { readonly name: string }, Result>(
  client: pg.Client,
  cases: readonly RunnableCase<Case, Result>[],
): Promise<Measured<Case, Result>[]> {
  const results = await measureByTurns(cases);
  const measured: Measured<Case, Result>[] = [];
  for (const [place, { item, times, run }] of cases.entries()) {
    const statements = await countStatements(client, async () => {
      await run();
      return times;
    });
    if (options.statements) process.stdout.write(renderStatements(item.name, statements));
    measured.push({ item, rounds: results[place]?.rounds ?? [], statements });
  }
  return measured;
}
