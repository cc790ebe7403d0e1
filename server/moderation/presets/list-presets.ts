import type { App } from '../../platform/app.ts';
import type { WarningPreset } from './schema.ts';

const maxListed = 500;

/** Lists the texts that staff reuse in decisions, by title. */
export const listPresets = ({ db }: App): Promise<WarningPreset[]> =>
  db
    .selectFrom('warning_presets')
    .select(['id', 'title', 'text'])
    .orderBy('title')
    .orderBy('id')
    .limit(maxListed)
    .execute();
