import type { Status } from '../../api/entities.ts';
import { pathOf, StatusActions, StatusText } from '../../status/index.ts';
import { statusOf } from '../../store/statuses.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { NameAndHandle } from '../../ui/display-name.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

/** The author, text and buttons of the post to which a picture in the viewer belongs. */
export function ViewedPost({ status: initial }: { readonly status: Status }) {
  const status = statusOf(initial.id).value ?? initial;
  const { account } = status;
  return (
    <div class="viewed-post">
      <div class="viewed-header">
        <Avatar account={account} size={28} />
        <a class="viewed-author" href={`/@${account.acct}`}>
          <NameAndHandle account={account} />
        </a>
        <a class="soft small" href={pathOf(status)}>
          <RelativeTime time={status.created_at} />
        </a>
      </div>
      <StatusText status={status} />
      <StatusActions status={status} />
    </div>
  );
}
