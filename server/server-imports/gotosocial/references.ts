/** The condition of rows that changed, for tables without references to what the plan reads elsewhere. */
export const changedInCopy = 's.copied_at >= $since';

/** SQL of the id here that a row with this ULID has. */
export const idOf = (ulid: string): string => `(select i.id from ids i where i.ulid = ${ulid})`;

/** SQL of a JSON array; an empty one for anything else. */
export const arrayOf = (json: string): string => `(case jsonb_typeof(${json}) when 'array' then ${json} else '[]' end)`;

/** SQL of the ids of a JSON array of ULIDs, in its order. */
export const idsOf = (json: string): string =>
  `coalesce((select array_agg(i.id order by n) from jsonb_array_elements_text(${arrayOf(json)}) with ordinality e(ulid, n)
    join ids i on i.ulid = e.ulid), '{}')`;

/** SQL of the texts of a JSON array, in its order. */
export const textsOf = (json: string): string =>
  `coalesce((select array_agg(value order by n) from jsonb_array_elements_text(${arrayOf(json)}) with ordinality e(value, n)), '{}')`;

/** SQL of our name of an enum, which was a word before 0.18 and is a number since; null for other values. */
export const nameOf = (column: string, names: Readonly<Record<string, readonly (string | number)[]>>): string =>
  `case ${Object.entries(names)
    .map(([name, values]) => `when ${column} in (${values.map((value) => `'${value}'`).join(', ')}) then '${name}'`)
    .join(' ')} end`;

/** SQL of the time in a ULID. */
export const timeOf = (ulid: string): string => `to_timestamp(ulid_ms(${ulid}) / 1000.0)`;

/** SQL of the visibility of posts here. Nothing here is visible to mutual followers only. */
export const privacyOf = (column: string): string =>
  nameOf(column, {
    public: [2, 'public'],
    unlisted: [3, 'unlocked', 'unlisted'],
    private: [4, 5, 'followers_only', 'private', 'mutuals_only'],
    direct: [6, 'direct'],
  });
