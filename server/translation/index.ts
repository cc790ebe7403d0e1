// Translation: translates public posts with the configured service.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { cleanUpTranslations } from './translate-status.ts';

export { canTranslate } from './backend.ts';
export { translationLanguages } from './languages.ts';
export { routes } from './routes.ts';
export type { TranslationTables } from './tables.ts';
export { caches } from './caches.ts';

export const schedules: readonly Schedule[] = [cleanUpTranslations];
