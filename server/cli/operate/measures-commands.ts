import { Option, type Command } from 'commander';
import { defaultDimensionLimit, parseCohortRange, parseRange, type DayRange } from '../../measures/index.ts';
import {
  dimensionKeys,
  domainMeasures,
  loadDimensions,
  loadMeasures,
  loadRetention,
  plainMeasures,
  tagMeasures,
} from '../../measures/read/index.ts';
import type { App } from '../../platform/app.ts';
import { locales } from '../../platform/i18n/locales.ts';
import { findTag } from '../../tags/index.ts';
import { CliError } from '../cli-error.ts';
import { withReadingApp } from '../open/command-app.ts';
import { formatTable, jsonOption, print, type OutputOptions } from '../output.ts';
import { parseDay, parseLimit } from '../parse-options.ts';

interface RangeOptions extends OutputOptions {
  readonly from?: string;
  readonly to?: string;
}

interface KeyOptions extends RangeOptions {
  readonly tag?: string;
  readonly domain?: string;
}

interface DimensionOptions extends KeyOptions {
  readonly limit: number;
}

interface RetentionOptions extends RangeOptions {
  readonly frequency: 'day' | 'month';
}

const measureKeys = [plainMeasures, tagMeasures, domainMeasures].flatMap((measures) => Object.keys(measures));
/** The range without options. */
const defaultDays = 30;
const dayMs = 86_400_000;

export function addMeasuresCommands(group: Command): void {
  withKeys(group.command('show <keys...>'))
    .description(`Show numbers by day: ${measureKeys.join(', ')}`)
    .action(showMeasures);
  withKeys(group.command('dimensions <keys...>'))
    .description(`Show the most frequent values: ${dimensionKeys.join(', ')}`)
    .option('--limit <number>', 'values of each', parseLimit, defaultDimensionLimit)
    .action(showDimensions);
  withRange(group.command('retention'))
    .description('Show how many of the users who signed up in a period are still active in later ones')
    .addOption(new Option('--frequency <period>', 'length of a period').choices(['day', 'month']).default('day'))
    .action(showRetention);
}

const withRange = (command: Command): Command =>
  command
    .option('--from <day>', `first day, such as 2026-11-01; ${defaultDays} days by default`, parseDay)
    .option('--to <day>', 'last day; today by default', parseDay)
    .option(...jsonOption);

const withKeys = (command: Command): Command =>
  withRange(command)
    .option('--tag <name>', 'hashtag, for keys that begin with tag_')
    .option('--domain <domain>', 'server, for keys that begin with instance_');

async function showMeasures(keys: string[], options: KeyOptions): Promise<void> {
  assertKnown(keys, measureKeys);
  await withReadingApp(options, async (app) => {
    const params = await paramsOf(app, keys, options);
    const input = { keys, range: rangeOf(app, options, parseRange), params, locale: locales[0] };
    const measures = await loadMeasures(app, input);
    print(options, measures, () =>
      formatTable(
        measures.map(({ key, total, human_value: human, previous_total: previous }) => ({
          key,
          total: human ?? total,
          'the days before': previous,
        })),
      ),
    );
  });
}

async function showDimensions(keys: string[], options: DimensionOptions): Promise<void> {
  assertKnown(keys, dimensionKeys);
  await withReadingApp(options, async (app) => {
    const params = await paramsOf(app, keys, options);
    const range = rangeOf(app, options, parseRange);
    const dimensions = await loadDimensions(app, { keys, range, params, limit: options.limit, locale: locales[0] });
    print(options, dimensions, () =>
      dimensions.flatMap(({ key, data }) => [
        `${key}:`,
        ...data.map((item) => `  ${item.human_key}: ${item.human_value ?? item.value}`),
      ]),
    );
  });
}

async function showRetention({ frequency, ...options }: RetentionOptions): Promise<void> {
  await withReadingApp(options, async (app) => {
    const range = rangeOf(app, options, (from, to) => parseCohortRange(from, to, frequency));
    const cohorts = await loadRetention(app, range, frequency);
    print(options, cohorts, () =>
      cohorts.map(({ period, data }) =>
        [period.slice(0, 10), ...data.map(({ value, rate }) => `${value} (${Math.round(rate * 100)} %)`)].join('  '),
      ),
    );
  });
}

function assertKnown(keys: readonly string[], known: readonly string[]): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new CliError(`Unknown key: ${unknown}. Known ones: ${known.join(', ')}`);
}

function rangeOf(app: App, { from, to }: RangeOptions, parse: (from: string, to: string) => DayRange): DayRange {
  const end = to ?? app.clock.now().toISOString();
  const start = new Date(new Date(end).getTime() - (defaultDays - 1) * dayMs);
  // An invalid end is refused by `parse`.
  return parse(from ?? (Number.isNaN(start.getTime()) ? end : start.toISOString()), end);
}

/** Returns the parameters by key, as the API has them. */
async function paramsOf(app: App, keys: readonly string[], { tag, domain }: KeyOptions) {
  const id = tag === undefined ? undefined : (await findTag(app, tag.replace(/^#/, '')))?.id;
  if (tag !== undefined && id === undefined) throw new CliError(`Unknown hashtag: ${tag}`);
  for (const key of keys) {
    if (key.startsWith('tag_') && id === undefined) throw new CliError(`${key} needs --tag`);
    if (key.startsWith('instance_') && domain === undefined) throw new CliError(`${key} needs --domain`);
  }
  return Object.fromEntries(keys.map((key) => [key, { id, domain }]));
}
