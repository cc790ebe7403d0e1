import funnel from '@phosphor-icons/core/regular/funnel-simple.svg?raw';
import quotes from '@phosphor-icons/core/regular/quotes.svg?raw';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { MatchedFilter, Quote, ShallowQuote, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { statusOf, storeStatus } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { findFilters, isHidden, type FilterContext } from './filters.ts';
import { pathOf } from './paths.ts';

interface QuotedPostProps {
  readonly quote: Quote | ShallowQuote;
  /** Where the post with the quote is shown, which decides the filters that apply to the quoted one. */
  readonly context: FilterContext;
  /** Whether the post with the quote is quoted itself: then only a link is shown. */
  readonly isNested: boolean;
  readonly renderBody: (status: Status, blurredBy: readonly MatchedFilter[]) => ComponentChildren;
}

/** A quoted post in its frame; what it quotes itself is a link. In place of a hidden or filtered one, the reason. */
export function QuotedPost({ quote, context, isNested, renderBody }: QuotedPostProps) {
  const isOpen = useSignal(false);
  const id = quotedId(quote);
  const isShown = id !== undefined && (quote.state === 'accepted' || isOpen.value);
  if (isShown && isNested)
    return (
      <p class="quote-link">
        <Icon svg={quotes} />
        <a href={`/@/${id}`}>{t('quote.open')}</a>
      </p>
    );
  if (isShown) return <Shown id={id} context={context} renderBody={renderBody} />;
  return (
    <div class="quote-hidden">
      <Icon svg={quotes} />
      <span>{describeState(quote.state)}</span>
      {id !== undefined && (
        <button type="button" class="button quiet" onClick={() => (isOpen.value = true)}>
          {t('status.showAnyway')}
        </button>
      )}
    </div>
  );
}

const quotedId = (quote: Quote | ShallowQuote): string | undefined =>
  'quoted_status' in quote ? quote.quoted_status?.id : (quote.quoted_status_id ?? undefined);

function Shown({ id, context, renderBody }: { readonly id: string } & Pick<QuotedPostProps, 'context' | 'renderBody'>) {
  const isFilterOpen = useSignal(false);
  const status = statusOf(id).value;
  const isMissing = status === undefined;
  useEffect(() => {
    if (!isMissing) return;
    // A link to the post remains.
    request<Status>('GET', `/api/v1/statuses/${id}`).then(storeStatus, () => undefined);
  }, [id, isMissing]);
  if (status === undefined)
    return (
      <p class="quote-link">
        <Icon svg={quotes} />
        <a href={`/@/${id}`}>{t('quote.open')}</a>
      </p>
    );
  const filters = findFilters(status, context);
  const covers = filters.filter(({ filter_action: action }) => action !== 'blur');
  if (covers.length > 0 && !isFilterOpen.value)
    return <FilteredQuote filters={covers} onOpen={() => (isFilterOpen.value = true)} />;
  const { account } = status;
  return (
    <blockquote class="quote">
      <header class="status-header">
        <Avatar account={account} size={28} />
        <a class="status-author" href={pathOf(status)} title={t('quote.openBy', { name: account.acct })}>
          <span class="name-line">
            <strong class="one-line">
              <DisplayName account={account} />
            </strong>{' '}
            <span class="one-line soft" dir="ltr">
              @{account.acct}
            </span>
          </span>
        </a>
        <span class="soft small">
          <RelativeTime time={status.created_at} />
        </span>
      </header>
      {renderBody(
        status,
        filters.filter(({ filter_action: action }) => action === 'blur'),
      )}
    </blockquote>
  );
}

interface FilteredQuoteProps {
  readonly filters: readonly MatchedFilter[];
  readonly onOpen: () => void;
}

/** Stands for a quoted post that filters cover, with their names. One that a filter hides cannot be opened here. */
function FilteredQuote({ filters, onOpen }: FilteredQuoteProps) {
  const titles = filters.map(({ title }) => title).join(', ');
  return (
    <div class="quote-hidden">
      <Icon svg={funnel} />
      <span dir="auto">{t('status.filtered', { titles })}</span>
      {!isHidden(filters) && (
        <button type="button" class="button quiet" onClick={onOpen}>
          {t('status.showAnyway')}
        </button>
      )}
    </div>
  );
}

function describeState(state: Quote['state']): string {
  switch (state) {
    case 'pending':
      return t('quote.pending');
    case 'rejected':
    case 'unauthorized':
      return t('quote.rejected');
    case 'revoked':
      return t('quote.revoked');
    case 'blocked_account':
      return t('quote.blockedAccount');
    case 'blocked_domain':
      return t('quote.blockedDomain');
    case 'muted_account':
      return t('quote.mutedAccount');
    case 'accepted':
    case 'deleted':
      return t('quote.deleted');
  }
}
