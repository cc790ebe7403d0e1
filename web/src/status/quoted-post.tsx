import quotes from '@phosphor-icons/core/regular/quotes.svg?raw';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { Quote, ShallowQuote, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { statusOf, storeStatus } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { pathOf } from './paths.ts';

interface QuotedPostProps {
  readonly quote: Quote | ShallowQuote;
  /** Whether the post with the quote is quoted itself: then only a link is shown. */
  readonly isNested: boolean;
  readonly renderBody: (status: Status) => ComponentChildren;
}

/** A quoted post in its frame; what it quotes itself is a link. In place of a hidden one, why it is hidden. */
export function QuotedPost({ quote, isNested, renderBody }: QuotedPostProps) {
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
  if (isShown) return <Shown id={id} renderBody={renderBody} />;
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

function Shown({ id, renderBody }: { readonly id: string } & Pick<QuotedPostProps, 'renderBody'>) {
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
  const { account } = status;
  return (
    <blockquote class="quote">
      <header class="status-header">
        <Avatar account={account} size={28} />
        <a class="status-author" href={pathOf(status)} title={t('quote.openBy', { name: account.acct })}>
          <span>
            <strong>
              <DisplayName account={account} />
            </strong>{' '}
            <span class="soft" dir="ltr">
              @{account.acct}
            </span>
          </span>
        </a>
        <span class="soft small">
          <RelativeTime time={status.created_at} />
        </span>
      </header>
      {renderBody(status)}
    </blockquote>
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
