// Translation: public posts in other languages, by a service that the settings name.
import type { Schedule } from '../platform/jobs/run-schedules.ts';
import { cleanUpTranslations } from './translate-status.ts';

export { canTranslate } from './backend.ts';
export { translationLanguages } from './languages.ts';
export { routes } from './routes.ts';
export type { TranslationTables } from './tables.ts';

export const schedules: readonly Schedule[] = [cleanUpTranslations];
