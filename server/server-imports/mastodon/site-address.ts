import pg from 'pg';

/** The addresses of the instance, which stay the same. */
export interface SiteAddress {
  /** Origin of the pages and the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Domain of handles. */
  readonly domain: string;
  /** Whether accounts may have an ActivityPub id with their number (`accounts.id_scheme`, since 4.5). */
  readonly hasNumericActors: boolean;
}

/** SQL of the ActivityPub id of the local account `alias`. */
export function localActorUri({ baseUrl, hasNumericActors }: SiteAddress, alias = 'a'): string {
  const numeric = hasNumericActors ? `when ${alias}.id_scheme = 1 then '/ap/users/' || ${alias}.id` : '';
  return `${pg.escapeLiteral(baseUrl)} || case when ${alias}.id = -99 then '/actor' ${numeric} else '/users/' || ${alias}.username end`;
}

/**
 * SQL of the storage key of a file: its path below `/system/`, which contains the id in groups of three digits: three of them, and
 * at least four from a billion on.
 */
export function fileKey(folder: string, id: string, style: string, fileName: string): string {
  const digits = `lpad(${id}::text, greatest(length(${id}::text), case when ${id} < 1000000000 then 9 else 12 end), '0')`;
  const partition = `regexp_replace(${digits}, '(\\d{3})(?=\\d)', '\\1/', 'g')`;
  return `case when ${fileName} is not null then '${folder}/' || ${partition} || '/${style}/' || ${fileName} end`;
}

/** SQL of a file name with another extension. */
export const withExtension = (fileName: string, extension: string): string =>
  `regexp_replace(${fileName}, '\\.[^.]*$', '') || '.${extension}'`;

/** SQL of the name that stands for an integer; null for others. */
export const enumName = (value: string, names: Readonly<Record<number, string>>): string =>
  `case ${value} ${Object.entries(names)
    .map(([number, name]) => `when ${number} then '${name}'`)
    .join(' ')} end`;
