import { Type, type Static } from 'typebox';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

/** Where clients apply a filter: home and lists, notifications, public timelines, threads, profiles. */
export const filterContexts = ['home', 'notifications', 'public', 'thread', 'account'] as const;
export const FilterContext = Type.Enum([...filterContexts]);
export type FilterContext = Static<typeof FilterContext>;

/** What clients do with a match: show a warning, hide the status, or blur its media. */
export const FilterAction = Type.Enum(['warn', 'hide', 'blur']);
export type FilterAction = Static<typeof FilterAction>;

const nullableTimestamp = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const FilterKeyword = entity('FilterKeyword', {
  id: idSchema<'filter-keyword'>(),
  keyword: Type.String(),
  whole_word: Type.Boolean(),
});
export type FilterKeyword = Static<typeof FilterKeyword>;

/** A single status that matches a filter whatever its text. */
export const FilterStatus = entity('FilterStatus', {
  id: idSchema<'filter-status'>(),
  status_id: idSchema<'status'>(),
});
export type FilterStatus = Static<typeof FilterStatus>;

const properties = {
  id: idSchema<'filter'>(),
  title: Type.String(),
  context: Type.Array(FilterContext),
  /** The filter no longer matches from then on; null: never expires. */
  expires_at: nullableTimestamp,
  filter_action: FilterAction,
};

export const Filter = entity('Filter', {
  ...properties,
  keywords: Type.Array(FilterKeyword),
  statuses: Type.Array(FilterStatus),
});
export type Filter = Static<typeof Filter>;

const MatchedFilter = entity('MatchedFilter', properties);
export type MatchedFilter = Static<typeof MatchedFilter>;

/** Why a status matches a filter. */
export const FilterResult = entity('FilterResult', {
  filter: MatchedFilter,
  /** The text that matched, as the status has it; null if the status itself is in the filter only. */
  keyword_matches: Type.Union([Type.Array(Type.String()), Type.Null()]),
  status_matches: Type.Union([Type.Array(idSchema<'status'>()), Type.Null()]),
});
export type FilterResult = Static<typeof FilterResult>;

/** A keyword of a filter, as version 1 of the API has it. */
export const V1Filter = entity('V1Filter', {
  id: idSchema<'filter-keyword'>(),
  phrase: Type.String(),
  context: Type.Array(FilterContext),
  expires_at: nullableTimestamp,
  /** The filter hides statuses. */
  irreversible: Type.Boolean(),
  whole_word: Type.Boolean(),
});
export type V1Filter = Static<typeof V1Filter>;

/** A filter in a file, without ids. */
export const ExportedFilter = entity('ExportedFilter', {
  title: Type.String(),
  context: Type.Array(FilterContext),
  filter_action: Type.Optional(FilterAction),
  expires_at: Type.Optional(nullableTimestamp),
  keywords: Type.Optional(
    Type.Array(Type.Object({ keyword: Type.String(), whole_word: Type.Optional(Type.Boolean()) })),
  ),
  statuses: Type.Optional(Type.Array(Type.String(), { description: 'URIs of single posts' })),
});
export type ExportedFilter = Static<typeof ExportedFilter>;

/** All filters of an account, to keep or to import elsewhere. */
export const FilterExport = entity('FilterExport', { filters: Type.Array(ExportedFilter) });
export type FilterExport = Static<typeof FilterExport>;
