import type { Status } from '../api/entities.ts';
import { isRemoved } from './remove-later.ts';

/**
 * Whether a post is not shown at a place (`account`, `thread`, or a timeline), because the reader deleted it, or blocks or mutes its author, and may still undo that.
 */
export function isPostRemoved({ id, account }: Pick<Status, 'id' | 'account'>, context: string | undefined): boolean {
  if (isRemoved(`/api/v1/statuses/${id}`) || isRemoved(`/api/v1/fieldfare/held_posts/${id}`)) return true;
  if (context === 'account' || context === 'thread') return false;
  const domain = account.acct.split('@')[1];
  return (
    isRemoved(`/api/v1/accounts/${account.id}`) ||
    (domain !== undefined && isRemoved(`/api/v1/domain_blocks/${domain}`))
  );
}
