import type { ComponentChildren } from 'preact';
import { request } from '../api/client.ts';
import type { AuthorizedApplication, Webhook } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { confirm } from '../ui/confirm.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { isRemoved, removeLater } from '../ui/remove-later.ts';
import { EmptyState } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { WhenLoaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { WebhookItem, webhooksPath } from './webhook-item.tsx';

/** The apps with access to an account, and where they have its events sent. */
interface Access {
  readonly apps: readonly AuthorizedApplication[];
  readonly webhooks: readonly Webhook[];
}

async function loadAccess(signal: AbortSignal): Promise<Access> {
  const [apps, webhooks] = await Promise.all([
    request<Access['apps']>('GET', '/api/v1/fieldfare/authorized_apps', { signal }),
    request<Access['webhooks']>('GET', webhooksPath, { signal }),
  ]);
  return { apps, webhooks };
}

/** The apps with access to the account. */
export function AppsPage() {
  const loaded = useLoaded<Access>('authorized-apps', loadAccess);
  const set = (access: Access): void => {
    loaded.value = access;
  };
  return (
    <PreferenceFrame title={t('preferences.apps')} intro={t('apps.intro')}>
      <WhenLoaded of={loaded}>
        {(access) => {
          const { apps, webhooks } = access;
          const listWebhooks = (appId: string | undefined) => (
            <Webhooks
              webhooks={webhooks.filter(({ application }) => application?.id === appId)}
              onChange={(changed) =>
                set({ ...access, webhooks: webhooks.map((one) => (one.id === changed.id ? changed : one)) })
              }
            />
          );
          const hasOthers = webhooks.some(({ application }) => application == null);
          if (apps.length === 0 && !hasOthers) return <EmptyState title={t('apps.none')} />;
          return (
            <ul class="row-list">
              {apps.map((app) => (
                <App key={app.id} app={app} onRevoke={() => void revoke(access, app, set)}>
                  {listWebhooks(app.id)}
                </App>
              ))}
              {hasOthers && (
                <li class="app">
                  <div>
                    <strong>{t('apps.withoutApp')}</strong>
                    {listWebhooks(undefined)}
                  </div>
                </li>
              )}
            </ul>
          );
        }}
      </WhenLoaded>
      <p>
        <a href="/device">{t('apps.device')}</a>
      </p>
    </PreferenceFrame>
  );
}

interface AppProps {
  readonly app: AuthorizedApplication;
  readonly onRevoke: () => void;
  readonly children: ComponentChildren;
}

function App({ app, onRevoke, children }: AppProps) {
  const { name, website, scopes, created_at: createdAt, last_used_at: lastUsedAt } = app;
  const isPlain = website !== null && /^https?:/.test(website);
  return (
    <li class="app">
      <div>
        <strong dir="auto">{name}</strong>
        {isPlain && (
          <>
            {' '}
            <a href={website} target="_blank" rel="nofollow noopener noreferrer">
              {new URL(website).host}
            </a>
          </>
        )}
        <p class="soft small">
          {lastUsedAt === null
            ? tx('apps.allowed', { time: <RelativeTime time={createdAt} /> })
            : tx('apps.used', { time: <RelativeTime time={lastUsedAt} /> })}
        </p>
        <p class="soft small">{t('apps.scopes', { scopes: scopes.join(', ') })}</p>
        {children}
      </div>
      <button type="button" class="button quiet" aria-label={t('apps.revokeOf', { name })} onClick={onRevoke}>
        {t('apps.revoke')}
      </button>
    </li>
  );
}

interface WebhooksProps {
  readonly webhooks: readonly Webhook[];
  readonly onChange: (changed: Webhook) => void;
}

function Webhooks({ webhooks, onChange }: WebhooksProps) {
  const shown = webhooks.filter(({ id }) => !isRemoved(`${webhooksPath}/${id}`));
  if (shown.length === 0) return null;
  return (
    <>
      <p class="small">{t('apps.webhooks')}</p>
      <ul class="webhooks">
        {shown.map((webhook) => (
          <WebhookItem
            key={webhook.id}
            webhook={webhook}
            onChange={onChange}
            onRemove={() => void removeLater({ text: t('apps.webhookDeleted'), path: `${webhooksPath}/${webhook.id}` })}
          />
        ))}
      </ul>
    </>
  );
}

async function revoke(access: Access, app: AuthorizedApplication, set: (access: Access) => void): Promise<void> {
  const question = { title: t('apps.confirmTitle', { name: app.name }), text: t('apps.confirmText') };
  if (!(await confirm({ ...question, action: t('apps.revoke') }))) return;
  set({
    apps: access.apps.filter(({ id }) => id !== app.id),
    // They end with the tokens of the app.
    webhooks: access.webhooks.filter(({ application }) => application?.id !== app.id),
  });
  try {
    await request('DELETE', `/api/v1/fieldfare/authorized_apps/${app.id}`);
  } catch (error) {
    set(access);
    showError(error);
  }
}
