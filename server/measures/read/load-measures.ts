import type { App } from '../../platform/app.ts';
import type { Locale } from '../../platform/i18n/locales.ts';
import { listDays, presentDay } from '../days.ts';
import { previousRange, type DayRange } from '../range.ts';
import type { Measure } from '../schema.ts';
import type { DailyValue } from './daily-values.ts';
import { formatBytes } from './format-bytes.ts';
import { parseDomainOf, requireTagOf, type ParamsByKey } from './key-params.ts';
import { domainMeasures, plainMeasures, tagMeasures, type MeasureSource } from './measure-keys.ts';

export interface MeasuresInput {
  readonly keys: readonly string[];
  readonly range: DayRange;
  readonly params: ParamsByKey;
  /** Of the texts. */
  readonly locale: Locale;
}

/** Returns measures in the order of their keys, without unknown ones. Throws 400, 404 or 422 for invalid parameters. */
export async function loadMeasures(app: App, { keys, range, params, locale }: MeasuresInput): Promise<Measure[]> {
  const sources: { readonly key: string; readonly source: MeasureSource }[] = [];
  for (const key of keys) {
    const source = await findSource(app, key, params);
    if (source !== undefined) sources.push({ key, source });
  }
  return Promise.all(sources.map(({ key, source }) => loadMeasure(app, { key, source, range, locale })));
}

const has = <Keys extends object>(object: Keys, key: PropertyKey): key is keyof Keys => Object.hasOwn(object, key);

async function findSource(app: App, key: string, params: ParamsByKey): Promise<MeasureSource | undefined> {
  if (has(plainMeasures, key)) return plainMeasures[key];
  if (has(tagMeasures, key)) return tagMeasures[key](await requireTagOf(app, params, key));
  if (has(domainMeasures, key)) return domainMeasures[key](parseDomainOf(app, params, key));
  return undefined;
}

async function loadMeasure(
  app: App,
  {
    key,
    source,
    range,
    locale,
  }: { readonly key: string; readonly source: MeasureSource; readonly range: DayRange; readonly locale: Locale },
): Promise<Measure> {
  const values = await source.values(app, range);
  const total = await loadTotal(app, source, range, values);
  const previous = source.isOfAllTime === true ? undefined : await loadTotal(app, source, previousRange(range));
  const byDay = new Map(values.map(({ day, value }) => [day, value]));
  return {
    key,
    unit: source.unit ?? null,
    total,
    ...(source.unit === 'bytes' && { human_value: formatBytes(Number(total), locale) }),
    ...(previous !== undefined && { previous_total: previous }),
    data: listDays(range.from, range.to).map((day) => ({ date: presentDay(day), value: byDay.get(day) ?? '0' })),
  };
}

async function loadTotal(
  app: App,
  source: MeasureSource,
  range: DayRange,
  known?: readonly DailyValue[],
): Promise<string> {
  if (source.total !== undefined) return (await source.total(app, range))[0]?.total ?? '0';
  const values = known ?? (await source.values(app, range));
  return String(values.reduce((sum, { value }) => sum + BigInt(value), 0n));
}
