import caret from '@phosphor-icons/core/regular/caret-down.svg?raw';
import chats from '@phosphor-icons/core/regular/chats.svg?raw';
import { t } from '../i18n/translate.tsx';
import { accountOf } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Entry, PersonGroup } from './group-posts.ts';
import { changeView, toggled, viewOf } from './view.ts';

interface PersonRowProps {
  readonly group: PersonGroup;
  readonly isFolded: boolean;
  readonly viewKey: string;
}

/** The heading of a person's posts, which folds and unfolds them. */
export function PersonRow({ group, isFolded, viewKey }: PersonRowProps) {
  const { accountId, postCount } = group;
  const account = accountOf(accountId).value;
  const id = `catch-up-person-${accountId}`;
  return (
    <article class="catch-up-person" aria-labelledby={id} tabIndex={-1}>
      <h2>
        <button
          type="button"
          data-key="enter"
          aria-expanded={!isFolded}
          onClick={() => changeView(viewKey, { folded: toggled(viewOf(viewKey).peek().folded, accountId) })}
        >
          {account !== undefined && <Avatar account={account} size={32} />}
          <span class="one-line" id={id}>
            {account !== undefined && <DisplayName account={account} />}
          </span>
          <span class="soft small">{t('catchUp.posts', { count: postCount })}</span>
          <Icon svg={caret} />
        </button>
      </h2>
    </article>
  );
}

interface ThreadRowProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
  readonly viewKey: string;
}

/** Shows and hides the posts of a thread after its first one. */
export function ThreadRow({ entry, isOpen, viewKey }: ThreadRowProps) {
  const label = isOpen ? t('catchUp.threadFold') : t('catchUp.threadUnfold', { count: entry.posts.length - 1 });
  return (
    <article class="catch-up-fold" aria-label={label} tabIndex={-1}>
      <button
        type="button"
        data-key="enter"
        aria-expanded={isOpen}
        onClick={() => changeView(viewKey, { threads: toggled(viewOf(viewKey).peek().threads, entry.key) })}
      >
        <Icon svg={chats} />
        {label}
      </button>
    </article>
  );
}

interface MoreRowProps {
  readonly accountId: string;
  readonly count: number;
  readonly viewKey: string;
}

/** Shows the rest of a person's posts. */
export function MoreRow({ accountId, count, viewKey }: MoreRowProps) {
  const label = t('catchUp.more', { count });
  return (
    <article class="catch-up-fold" aria-label={label} tabIndex={-1}>
      <button
        type="button"
        data-key="enter"
        onClick={() => changeView(viewKey, { unfolded: toggled(viewOf(viewKey).peek().unfolded, accountId) })}
      >
        <Icon svg={caret} />
        {label}
      </button>
    </article>
  );
}
