import type { App } from '../../platform/app.ts';
import type { Locale } from '../../platform/i18n/locales.ts';
import { message } from '../../platform/i18n/message.ts';
import { languageName } from '../../text/languages/index.ts';
import type { DayRange } from '../range.ts';
import type { Dimension } from '../schema.ts';
import { parseDomainOf, requireTagOf, type ParamsByKey } from './key-params.ts';
import { loadSpaceUsage, loadVersions } from './system-values.ts';
import { topAccounts, topApps, topKeys, topParts, topTagParts, type TopValue } from './top-values.ts';

export interface DimensionsInput {
  readonly keys: readonly string[];
  readonly range: DayRange;
  readonly limit: number;
  readonly params: ParamsByKey;
  /** Of the texts. */
  readonly locale: Locale;
}

type Values = Dimension['data'];
type Source = (app: App, input: DimensionsInput, key: string) => Promise<() => Promise<Values>>;

const sources: Readonly<Record<string, Source>> = {
  languages: async (app, input) => async () =>
    presentLanguages(await topKeys(app, { ...bounds(input), kind: 'user_locales' }), input),
  sources: async (app, input) => async () => presentApps(await topApps(app, bounds(input)), input),
  servers: async (app, input) => async () =>
    presentDomains(app, await topKeys(app, { ...bounds(input), kind: 'statuses' })),
  space_usage: async (app, input) => () => loadSpaceUsage(app, input.locale),
  software_versions: async (app) => () => loadVersions(app),
  tag_servers: async (app, input, key) => {
    const tagId = await requireTagOf(app, input.params, key);
    return async () => presentDomains(app, await topTagParts(app, { ...bounds(input), tagId, dimension: 'domain' }));
  },
  tag_languages: async (app, input, key) => {
    const tagId = await requireTagOf(app, input.params, key);
    return async () =>
      presentLanguages(await topTagParts(app, { ...bounds(input), tagId, dimension: 'language' }), input);
  },
  instance_accounts: async (app, input, key) => {
    const domain = parseDomainOf(app, input.params, key);
    return async () => presentNames(await topAccounts(app, { domain, limit: input.limit }));
  },
  instance_languages: async (app, input, key) => {
    const domain = parseDomainOf(app, input.params, key);
    return async () =>
      presentLanguages(await topParts(app, { ...bounds(input), kind: 'status_languages', key: domain }), input);
  },
};

export const dimensionKeys: readonly string[] = Object.keys(sources);

/**
 * Returns dimensions in the order of their keys, without unknown ones. Throws 400, 404 or 422 for invalid parameters,
 * before anything is counted.
 */
export async function loadDimensions(app: App, input: DimensionsInput): Promise<Dimension[]> {
  const loads: { readonly key: string; readonly load: () => Promise<Values> }[] = [];
  for (const key of input.keys) {
    const source = Object.hasOwn(sources, key) ? sources[key] : undefined;
    if (source !== undefined) loads.push({ key, load: await source(app, input, key) });
  }
  return Promise.all(loads.map(async ({ key, load }) => ({ key, data: await load() })));
}

const bounds = ({ range, limit }: DimensionsInput) => ({ ...range, limit });

const presentNames = (rows: readonly TopValue[]): Values =>
  rows.map(({ name, value }) => ({ key: name, human_key: name, value }));

const presentDomains = ({ config }: App, rows: readonly TopValue[]): Values =>
  presentNames(rows.map(({ name, value }) => ({ name: name === '' ? config.domain : name, value })));

const presentLanguages = (rows: readonly TopValue[], { locale }: DimensionsInput): Values =>
  rows.map(({ name, value }) => ({
    key: name,
    human_key: languageName(name) ?? (name === 'und' ? message('measures.unknownLanguage').render(locale) : name),
    value,
  }));

const presentApps = (rows: readonly TopValue[], { locale }: DimensionsInput): Values =>
  rows.map(({ name, value }) =>
    name === ''
      ? { key: 'web', human_key: message('measures.website').render(locale), value }
      : { key: name, human_key: name, value },
  );
