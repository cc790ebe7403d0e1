import { sql, type RawBuilder } from 'kysely';

/** SQL for whether a language is one of those that a follow is limited to, or a regional form of one. */
export const isInLanguagesSql = (language: RawBuilder<unknown>, languages: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${language} = any(${languages}) or split_part(${language}, '-', 1) = any(${languages}))`;
