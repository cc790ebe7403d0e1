import type { JsonText } from '../../platform/http/http-response.ts';
import type { StatusId } from '../../platform/ids.ts';
import type { Status } from '../../statuses/index.ts';

/** One page of a timeline. */
export interface Timeline {
  /** Newest first, as the viewer sees them. */
  readonly statuses: readonly JsonText<Status>[];
  /** Cursors of the pages of newer and older statuses, as `FilledPage` has them. */
  readonly first: StatusId | undefined;
  readonly last: StatusId | undefined;
}
