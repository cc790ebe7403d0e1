import handPalm from '@phosphor-icons/core/regular/hand-palm.svg?raw';
import tray from '@phosphor-icons/core/regular/tray.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { InteractionRequest, NotificationPolicy } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import '../ui/rows.css';
import './requests-bars.css';

/** Says what waits for the reader's decision, as links to it. Nothing if nothing waits. */
export function RequestsBars() {
  const senders = useSignal(0);
  const hasApprovals = useSignal(false);
  useEffect(() => {
    const loadSenders = async (): Promise<void> => {
      const { summary } = await request<NotificationPolicy>('GET', '/api/v2/notifications/policy');
      senders.value = summary.pending_requests_count;
    };
    const loadApprovals = async (): Promise<void> => {
      const path = '/api/v1/interaction_requests';
      const [first] = await request<readonly InteractionRequest[]>('GET', path, { query: { limit: 1 } });
      hasApprovals.value = first !== undefined;
    };
    // The pages behind the links tell why something cannot be loaded.
    for (const load of [loadSenders, loadApprovals]) load().catch(() => undefined);
  }, []);
  return (
    <>
      {senders.value > 0 && (
        <RequestsBar
          href="/notifications/requests"
          icon={tray}
          title={t('notifications.filteredTitle')}
          text={t('notifications.filteredFrom', { count: senders.value })}
        />
      )}
      {hasApprovals.value && (
        <RequestsBar
          href="/notifications/approvals"
          icon={handPalm}
          title={t('notifications.approvalsTitle')}
          text={t('notifications.approvalsText')}
        />
      )}
    </>
  );
}

interface RequestsBarProps {
  readonly href: string;
  readonly icon: string;
  readonly title: string;
  readonly text: string;
}

function RequestsBar({ href, icon, title, text }: RequestsBarProps) {
  return (
    <a class="row-link requests-bar" href={href}>
      <Icon svg={icon} />
      <span>
        <strong>{title}</strong>
        <span class="soft small">{text}</span>
      </span>
    </a>
  );
}
