import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * `expand`: processes of the older version work with its result too. `contract`: it removes what the older version needs, so
 * it waits until no process of that version lives.
 */
export type MigrationKind = 'expand' | 'contract';

export interface Migration {
  /** Name of the file without its extension, such as `0001-platform`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** The first line of the file, `-- expand` or `-- contract`. Without it: expand. */
  readonly kind: MigrationKind;
  /**
   * Each statement runs outside a transaction (`create index concurrently`), again if it was interrupted. Its first line ends
   * with `no transaction`, and each statement ends at the end of a line.
   */
  readonly noTransaction: boolean;
}

/** Returns every migration of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => parseMigration(file.slice(0, -'.sql'.length), readFileSync(join(migrationsFolder, file), 'utf8')));
}

/** Reads the marks in the first line of a migration. */
export function parseMigration(name: string, sql: string): Migration {
  const [firstLine = ''] = sql.split('\n', 1);
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    kind: firstLine.startsWith('-- contract') ? 'contract' : 'expand',
    noTransaction: firstLine.startsWith('--') && firstLine.endsWith('no transaction'),
  };
}

/** A migration that a database or a backup has. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  /** Undefined in databases from before there were kinds. */
  readonly kind?: MigrationKind;
}

/**
 * Throws an error for the operator if an applied migration was changed, or if a newer version removed what this one needs.
 * Other migrations of newer versions do no harm.
 */
export function assertCompatible(migrations: readonly Migration[], applied: Iterable<AppliedMigration>): void {
  const known = new Set(migrations.map(({ name }) => name));
  const others = [...applied];
  const removing = others.find(({ name, kind }) => kind === 'contract' && !known.has(name));
  if (removing !== undefined) throw newerVersionError(removing.name);
  assertUnchanged(
    migrations,
    others.filter(({ name }) => known.has(name)),
  );
}

/** Throws an error for the operator unless this version has all of these migrations, unchanged. */
export function assertUnchanged(migrations: readonly Migration[], applied: Iterable<AppliedMigration>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const migration = known.get(name);
    if (migration === undefined) throw newerVersionError(name);
    if (migration.checksum !== checksum)
      throw new Error(`The migration ${name} differs from the one that was applied to the database.`);
  }
}

const newerVersionError = (name: string): Error =>
  new Error(
    `The database has the migration ${name}, which this version does not know: it was used by a newer version of Fieldfare.`,
  );
