import type { ComponentChildren } from 'preact';
import { request } from '../api/client.ts';
import type { InteractionRequest, Status } from '../api/entities.ts';
import { locale, t, tx } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { PlainPost, pathOf, toPlainText } from '../status/index.ts';
import { usePages } from '../store/pages.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { EmptyState } from '../ui/states.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { showError } from '../ui/toasts.tsx';
import './requests-page.css';

const path = '/api/v1/interaction_requests';

/** The favourites, boosts and replies that wait for the reader's approval, and those that the reader approved. */
export function ApprovalsPage() {
  const pending = usePages<InteractionRequest>(path);
  const accepted = usePages<InteractionRequest>(`${path}?state=accepted`);
  const decide = async ({ id }: InteractionRequest, verb: 'authorize' | 'reject' | 'revoke'): Promise<void> => {
    const list = verb === 'revoke' ? accepted : pending;
    const restore = list.removeWhere((item) => item.id === id);
    try {
      const decided = await request<InteractionRequest>('POST', `${path}/${id}/${verb}`);
      if (verb === 'authorize') accepted.change((items) => [decided, ...items.filter((item) => item.id !== id)]);
    } catch (error) {
      restore();
      showError(error);
    }
  };
  return (
    <>
      <PageHeader title={t('approvals.title')} hasBack />
      <h2 class="requests-title">{t('approvals.pending')}</h2>
      <PagedList
        pages={pending}
        label={t('approvals.pending')}
        empty={<EmptyState title={t('approvals.none')} />}
        keyOf={({ id }) => id}
        render={(item) => (
          <ApprovalRow item={item}>
            <button type="button" class="button" onClick={() => void decide(item, 'authorize')}>
              {t('approvals.approve')}
            </button>
            <button type="button" class="button quiet" onClick={() => void decide(item, 'reject')}>
              {t('approvals.reject')}
            </button>
          </ApprovalRow>
        )}
      />
      <h2 class="requests-title">{t('approvals.accepted')}</h2>
      <p class="requests-hint soft">{t('approvals.about')}</p>
      <PagedList
        pages={accepted}
        label={t('approvals.accepted')}
        empty={<EmptyState title={t('approvals.none')} />}
        keyOf={({ id }) => id}
        render={(item) => (
          <ApprovalRow item={item}>
            <button type="button" class="button quiet" onClick={() => void decide(item, 'revoke')}>
              {t('approvals.revoke')}
            </button>
          </ApprovalRow>
        )}
      />
    </>
  );
}

interface ApprovalRowProps {
  readonly item: InteractionRequest;
  /** The buttons. */
  readonly children: ComponentChildren;
}

function ApprovalRow({ item: { type, account, status, reply }, children }: ApprovalRowProps) {
  const name = (
    <a href={`/@${account.acct}`}>
      <DisplayName account={account} />
    </a>
  );
  return (
    <div class="request">
      <Avatar account={account} size={44} />
      <div class="request-text">
        <span>{tx(`approvals.${type}`, { name, date: <a href={pathOf(status)}>{dayOf(status)}</a> })}</span>
        {reply !== undefined && (
          <span class="request-post soft" dir="auto">
            <PlainPost text={toPlainText(reply.content)} emojis={reply.emojis} />
          </span>
        )}
      </div>
      <span class="request-buttons">{children}</span>
    </div>
  );
}

const dayOf = ({ created_at: time }: Status): string =>
  new Date(time).toLocaleDateString(locale.value, { dateStyle: 'long' });
