import { defineJob } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import type { Transaction } from '../../platform/write/transaction.ts';

/** Deletes image files that no profile uses. */
export const deleteImages = defineJob(
  'account.delete_images',
  Type.Object({ keys: Type.Array(Type.String()) }),
  async (app, { keys }) => {
    for (const key of keys) await app.storage.delete(key);
  },
  'background',
);

const imageKeyColumns = ['avatar_key', 'avatar_static_key', 'header_key', 'header_static_key'] as const;

type ImageKeys = { readonly [Name in (typeof imageKeyColumns)[number]]?: string | null | undefined };

/** Queues the deletion of the files that `after` replaces or removes. */
export function deleteReplacedImages(tx: Transaction, before: ImageKeys, after: ImageKeys): void {
  const retained = new Set(imageKeyColumns.map((name) => (after[name] === undefined ? before[name] : after[name])));
  const keys = new Set(imageKeyColumns.flatMap((name) => before[name] ?? []).filter((key) => !retained.has(key)));
  if (keys.size > 0) tx.enqueue(deleteImages({ keys: [...keys] }));
}
