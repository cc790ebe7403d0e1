import link from '@phosphor-icons/core/regular/link.svg?raw';
import printer from '@phosphor-icons/core/regular/printer.svg?raw';
import shareIcon from '@phosphor-icons/core/regular/share-network.svg?raw';
import { useEffect, useMemo } from 'preact/hooks';
import type { Status } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import {
  copyLink,
  FilteredStatus,
  findFilters,
  isFilterOpen,
  isHidden,
  pathOf,
  share,
  StatusBody,
} from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { NameAndHandle } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState, ErrorState, LoadingPosts } from '../ui/states.tsx';
import { threadOf } from './thread.ts';
import './read-page.css';

/** The posts by which an author continued a post, as one text: /@name/id/read, with the id of the first one. */
export function ReadPage({ id = '' }: { readonly id?: string }) {
  const thread = useMemo(() => threadOf(id), [id]);
  useEffect(() => void thread.open(), [thread]);
  const status = statusOf(id).value;
  const state = thread.state.value;
  return (
    <>
      <PageHeader title={t('thread.read')} hasBack actions={status !== undefined && <Actions status={status} />} />
      {state === 'failed' ? (
        <ErrorState error={thread.error} onRetry={() => void thread.load()} />
      ) : state === 'loading' ? (
        <LoadingPosts count={2} />
      ) : status === undefined ? (
        <EmptyState title={t('thread.deleted')} />
      ) : (
        <Text first={status} ids={thread.ownThread.value} />
      )}
    </>
  );
}

function Actions({ status }: { readonly status: Status }) {
  return (
    <>
      <ActionButton icon={printer} label={t('thread.print')} onClick={() => print()} />
      <ActionButton icon={link} label={t('status.copyLink')} onClick={() => void copyLink(status)} />
      {'share' in navigator && (
        <ActionButton icon={shareIcon} label={t('status.share')} onClick={() => void share(status)} />
      )}
    </>
  );
}

interface ActionButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
}

function ActionButton({ icon, label, onClick }: ActionButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon svg={icon} />
    </button>
  );
}

function Text({ first, ids }: { readonly first: Status; readonly ids: readonly string[] }) {
  const { account } = first;
  const date = new Date(first.created_at).toLocaleDateString(locale.value, { dateStyle: 'long' });
  return (
    <article class="one-text" aria-labelledby="one-text-author">
      <header>
        <Avatar account={account} />
        <a class="status-author" id="one-text-author" href={`/@${account.acct}`}>
          <NameAndHandle account={account} />
        </a>
        <a class="soft small" href={pathOf(first)}>
          <time dateTime={first.created_at}>{date}</time>
        </a>
      </header>
      {(ids.length === 0 ? [first.id] : ids).map((id) => (
        <Part key={id} id={id} />
      ))}
    </article>
  );
}

function Part({ id }: { readonly id: string }) {
  const status = statusOf(id).value;
  if (status === undefined) return null;
  const filters = findFilters(status, 'thread');
  if (isHidden(filters)) return null;
  const warnings = filters.filter(({ filter_action: action }) => action === 'warn');
  return (
    <section>
      {warnings.length > 0 && !isFilterOpen(id) ? (
        <FilteredStatus status={status} rowId={id} filters={warnings} />
      ) : (
        <StatusBody
          status={status}
          context="thread"
          blurredBy={filters.filter(({ filter_action: action }) => action === 'blur')}
        />
      )}
    </section>
  );
}
