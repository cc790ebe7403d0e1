import dots from '@phosphor-icons/core/regular/dots-three.svg?raw';
import { request } from '../../api/client.ts';
import type { FieldfareAdminFederationQueue, FieldfareAdminHost } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { emptyValues, type FieldSpec } from '../form/fields.ts';
import { Form } from '../form/form.tsx';
import { refreshStaffCounts } from '../../unread/index.ts';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { ItemList } from '../list/item-list.tsx';
import { StateCounts } from './state-counts.tsx';
import { usePages } from '../../store/pages.ts';

const path = '/api/v1/fieldfare/admin/federation';

/** How the exchange with other servers goes: what waits, and which servers cannot be reached. */
export function FederationPage() {
  return (
    <ModerationPage title={t('sections.federation')} permissions={['manage_federation']}>
      <Federation />
    </ModerationPage>
  );
}

function Federation() {
  const list = usePages<FieldfareAdminHost>(`${path}/hosts`);
  const queues = useLoaded<readonly FieldfareAdminFederationQueue[]>(`${path}/queues`);
  const reload = async (): Promise<void> => {
    await Promise.all([list.load(), queues.load(), refreshStaffCounts()]);
  };
  return (
    <>
      <div class="section-box">
        {queues.error !== undefined && <NotLoaded of={queues} />}
        {queues.value !== undefined && queues.value.length > 0 && (
          <StateCounts
            nameLabel={t('hosts.direction')}
            rows={queues.value.map(({ direction, state, activities, first_due_at: firstDueAt }) => ({
              name: t(direction === 'deliveries' ? 'hosts.outgoing' : 'hosts.incoming'),
              state,
              count: activities,
              firstDueAt,
            }))}
          />
        )}
        <div class="buttons">
          <button type="button" class="button" onClick={() => openPauseForm(reload)}>
            {t('hosts.pauseServer')}
          </button>
        </div>
      </div>
      <ItemList
        list={list}
        label={t('sections.federation')}
        empty={t('hosts.empty')}
        renderItem={(host) => <Host host={host} onChanged={reload} />}
      />
    </>
  );
}

/** Asks for a server, with what a pause means for it. */
function openPauseForm(onPaused: () => Promise<void>): void {
  const fields: readonly FieldSpec[] = [
    { name: 'domain', label: t('servers.domain'), kind: 'text', hint: t('hosts.pauseHint'), isRequired: true },
  ];
  openDialog((close) => (
    <Dialog title={t('hosts.pauseServer')} onClose={close}>
      <p>{t('hosts.pauseTextAny')}</p>
      <Form
        fields={fields}
        initial={emptyValues(fields)}
        submitLabel={t('hosts.pause')}
        onCancel={close}
        onSubmit={async ({ domain }) => {
          await pause(String(domain).trim());
          close();
          await onPaused();
        }}
      />
    </Dialog>
  ));
}

const addressOf = (domain: string): string => `${path}/hosts/${encodeURIComponent(domain)}`;

async function pause(text: string): Promise<void> {
  const { domain } = await request<FieldfareAdminHost>('POST', `${addressOf(text)}/pause`);
  showToast(t('hosts.pausedNow', { domain }));
}

interface HostProps {
  readonly host: FieldfareAdminHost;
  readonly onChanged: () => Promise<void>;
}

function Host({ host, onChanged }: HostProps) {
  const { domain, software, dead, deliveries, last_error: error } = host;
  const address = addressOf(domain);
  const isPaused = host.paused_at !== null;
  const retry = async (): Promise<void> => {
    await request('POST', `${address}/retry`);
    showToast(t('hosts.retried', { domain }));
    await onChanged();
  };
  const askToPause = async (): Promise<void> => {
    const text = t('hosts.pauseText', { domain });
    if (!(await confirm({ title: domain, text, action: t('hosts.pause') }))) return;
    await pause(domain);
    await onChanged();
  };
  const resume = async (): Promise<void> => {
    await request('POST', `${address}/resume`);
    showToast(t('hosts.resumed', { domain }));
    await onChanged();
  };
  const deleteQueue = async (): Promise<void> => {
    const text = t('hosts.deleteQueueText', { domain });
    if (!(await confirm({ title: domain, text, action: t('hosts.deleteQueue') }))) return;
    await request('DELETE', `${address}/queue`);
    await onChanged();
  };
  return (
    <div class="item">
      <div class="item-text">
        <p class="item-title">
          <bdi>{domain}</bdi> {software !== null && <span class="tag">{software}</span>}{' '}
          {isPaused && <span class="tag warn">{t('hosts.paused')}</span>}{' '}
          {dead && <span class="tag warn">{t('hosts.dead')}</span>}
        </p>
        <dl class="facts small">
          <Time label={t('hosts.pausedSince')} time={host.paused_at} />
          <Time label={t('hosts.failingSince')} time={host.failing_since} />
          <Time label={t('hosts.lastSuccess')} time={host.last_success_at} />
          <Time label={t('hosts.nextAttempt')} time={host.next_attempt_at} />
          <dt>{t('hosts.deliveries')}</dt>
          <dd>{deliveries.toLocaleString(locale.value)}</dd>
          {host.failed_received > 0 && (
            <>
              <dt>{t('hosts.failedReceived')}</dt>
              <dd>{host.failed_received.toLocaleString(locale.value)}</dd>
            </>
          )}
        </dl>
        {error !== null && (
          <p class="small problem" dir="auto">
            {error.split('\n', 1)[0]}
          </p>
        )}
      </div>
      <Menu
        label={t('moderation.actionsFor', { name: domain })}
        button={<Icon svg={dots} />}
        items={[
          isPaused ? undefined : { label: t('hosts.retry'), onSelect: () => void retry().catch(showError) },
          isPaused
            ? { label: t('hosts.resume'), onSelect: () => void resume().catch(showError) }
            : { label: t('hosts.pause'), onSelect: () => void askToPause().catch(showError) },
          { label: t('hosts.deleteQueue'), isDangerous: true, onSelect: () => void deleteQueue().catch(showError) },
        ]}
      />
    </div>
  );
}

function Time({ label, time }: { readonly label: string; readonly time: string | null }) {
  if (time === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <RelativeTime time={time} />
      </dd>
    </>
  );
}
