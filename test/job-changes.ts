import type { TestServer } from './server.ts';

/** Changes of the table `jobs`, one entry per row. */
export interface JobChanges {
  /** The reactions and jobs that were stored, by queue: `default: a b` is one row for both. */
  readonly stored: readonly string[];
  readonly updated: number;
  readonly deleted: number;
}

/** Records the changes of stored jobs with a trigger. Returns a function that takes those since the last call. */
export async function recordJobChanges({ pool }: TestServer): Promise<() => Promise<JobChanges>> {
  await pool.query(`
    create table job_changes (id bigint generated always as identity, kind text, label text);
    create function record_job_change() returns trigger language plpgsql as $$ begin
      insert into job_changes (kind, label) values (tg_op, new.queue || ': ' || coalesce(array_to_string(new.subscribers, ' '), new.name));
      return null;
    end $$;
    create trigger record_job_change after insert or update or delete on jobs
      for each row execute function record_job_change()`);
  return async () => {
    const { rows } = await pool.query<{ kind: string; label: string | null }>(
      'with taken as (delete from job_changes returning *) select kind, label from taken order by id',
    );
    const count = (kind: string): number => rows.filter((row) => row.kind === kind).length;
    return {
      stored: rows.flatMap(({ kind, label }) => (kind === 'INSERT' && label !== null ? [label] : [])).toSorted(),
      updated: count('UPDATE'),
      deleted: count('DELETE'),
    };
  };
}
