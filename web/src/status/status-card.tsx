import archive from '@phosphor-icons/core/regular/archive.svg?raw';
import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { isEvicted, statusOf } from '../store/statuses.ts';
import { isPostRemoved } from '../ui/removed-posts.ts';
import { LoadingPosts } from '../ui/states.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { findFilters, isHidden, type FilterContext } from './filters.ts';
import { FilteredStatus, isFilterOpen } from './filtered-status.tsx';
import { pathOf } from './paths.ts';
import { StatusActions } from './status-actions.tsx';
import { StatusBody } from './status-body.tsx';
import { StatusContext } from './status-context.tsx';
import { StatusDetails } from './status-details.tsx';
import { VisibilityIcon } from './visibility-icon.tsx';
import '../ui/status-content.css';
import './status-card.css';

interface StatusCardProps {
  readonly id: string;
  /** Where the post is shown, which decides the filters that apply. */
  readonly context: FilterContext;
  /** The post that a page is about: larger, with its full time and counts. */
  readonly isMain?: boolean;
  /** Which of the posts it is that its author wrote in a row, from 1; 0: none of them. */
  readonly part?: number;
  readonly partCount?: number;
  /** Who boosted the post, if a list shows it once for all of them. */
  readonly boosterIds?: readonly string[];
}

/** A post of the store, or what it boosts. Nothing once it is deleted, or if a filter hides it. */
export const StatusCard = memo((props: StatusCardProps) => {
  const { id, context, isMain = false, part = 0, partCount = 0, boosterIds } = props;
  const status = statusOf(id).value;
  if (status === undefined) return isEvicted(id) ? <LoadingPosts count={1} /> : null;
  const shown = status.reblog === null ? status : (statusOf(status.reblog.id).value ?? status.reblog);
  if (isPostRemoved(status, context) || isPostRemoved(shown, context)) return null;
  const filters = isMain ? [] : findFilters(status, context);
  if (isHidden(filters)) return null;
  const warnings = filters.filter(({ filter_action: action }) => action === 'warn');
  if (warnings.length > 0 && !isFilterOpen(id)) return <FilteredStatus status={shown} rowId={id} filters={warnings} />;
  const blurs = filters.filter(({ filter_action: action }) => action === 'blur');
  return (
    <article
      class={isMain ? 'status main' : 'status'}
      aria-labelledby={`author-${id}`}
      data-row={id}
      data-status={shown.id}
      tabIndex={-1}
    >
      <StatusContext
        shown={shown}
        boosterIds={boosterIds ?? (status.reblog === null ? [] : [status.account.id])}
        isPinned={status.pinned === true}
        context={context}
      />
      <Header status={shown} authorId={`author-${id}`} isMain={isMain}>
        {part > 0 && (
          <span class="status-part small" title={t('status.part', { part, total: partCount })}>
            {part}/{partCount}
          </span>
        )}
      </Header>
      <StatusBody status={shown} context={context} blurredBy={blurs} isMain={isMain} />
      {isMain && <StatusDetails status={shown} />}
      <StatusActions status={shown} />
    </article>
  );
});

interface HeaderProps {
  readonly status: Status;
  readonly authorId: string;
  readonly isMain: boolean;
  readonly children: ComponentChildren;
}

function Header({ status, authorId, isMain, children }: HeaderProps) {
  const { account } = status;
  return (
    <header class="status-header">
      <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
        <Avatar account={account} />
      </a>
      <a class="status-author" id={authorId} href={`/@${account.acct}`} data-key="p">
        <NameAndHandle account={account} />
      </a>
      {children}
      {!isMain && (
        <a class="status-time soft" href={pathOf(status)} data-key="enter">
          {(status.visibility !== 'public' || status.local_only === true) && (
            <VisibilityIcon visibility={status.visibility} isLocalOnly={status.local_only} />
          )}
          {status.imported_from !== undefined && (
            <Icon svg={archive} label={t('status.importedFrom', { host: status.imported_from })} />
          )}
          <RelativeTime time={status.created_at} />
          {status.edited_at !== null && (
            <span title={t('status.edited')} aria-label={t('status.edited')} role="img">
              *
            </span>
          )}
        </a>
      )}
    </header>
  );
}
