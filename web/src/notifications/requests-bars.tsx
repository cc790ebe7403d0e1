import handPalm from '@phosphor-icons/core/regular/hand-palm.svg?raw';
import tray from '@phosphor-icons/core/regular/tray.svg?raw';
import type { InteractionRequest, NotificationPolicy } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import '../ui/rows.css';
import './requests-bars.css';

/** Says what waits for the reader's decision, as links to it. Nothing if nothing waits. */
export function RequestsBars() {
  // The pages behind the links tell why something cannot be loaded.
  const policy = useLoaded<NotificationPolicy>('/api/v2/notifications/policy').value;
  const approvals = useLoaded<readonly InteractionRequest[]>('/api/v1/interaction_requests?limit=1').value ?? [];
  const senders = policy?.summary.pending_requests_count ?? 0;
  return (
    <>
      {senders > 0 && (
        <RequestsBar
          href="/notifications/requests"
          icon={tray}
          title={t('notifications.filteredTitle')}
          text={t('notifications.filteredFrom', { count: senders })}
        />
      )}
      {approvals.length > 0 && (
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
