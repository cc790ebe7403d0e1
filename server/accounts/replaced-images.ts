import { defineJob } from '../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import type { Write } from '../platform/database/write.ts';

/** Removes files that no profile shows any more. */
export const removeImages = defineJob(
  'accounts.remove-images',
  Type.Object({ keys: Type.Array(Type.String()) }),
  async (app, { keys }) => {
    for (const key of keys) await app.storage.delete(key);
  },
  'background',
);

const columns = ['avatar_key', 'avatar_static_key', 'header_key', 'header_static_key'] as const;

type Images = { readonly [Name in (typeof columns)[number]]?: string | null | undefined };

/** Has the files removed that `after` puts others (or none) in the place of, once the change is stored. */
export function removeReplacedImages(write: Write, before: Images, after: Images): void {
  const kept = new Set(columns.map((name) => (after[name] === undefined ? before[name] : after[name])));
  const keys = new Set(columns.flatMap((name) => before[name] ?? []).filter((key) => !kept.has(key)));
  if (keys.size > 0) write.enqueue(removeImages({ keys: [...keys] }));
}
