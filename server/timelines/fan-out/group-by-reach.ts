import type { App } from '../../platform/app.ts';
import type { StatusId } from '../../platform/ids.ts';
import { feedLimits } from '../feeds/feed-limits.ts';

/** A status, and the number of follows that may bring it into home feeds. */
interface Reach {
  readonly id: StatusId;
  readonly follows_count: number;
}

/** Groups statuses so that a statement reads about as many followers as a batch of one status has. */
export function groupByReach(app: App, reaches: readonly Reach[]): StatusId[][] {
  const { fanOutBatchSize } = feedLimits(app);
  const groups: StatusId[][] = [];
  let size = Infinity;
  for (const { id, follows_count: count } of reaches) {
    size += count;
    if (size <= fanOutBatchSize) groups.at(-1)?.push(id);
    else {
      groups.push([id]);
      size = count;
    }
  }
  return groups;
}
