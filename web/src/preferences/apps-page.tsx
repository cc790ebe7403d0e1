import { request } from '../api/client.ts';
import type { AuthorizedApplication } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { confirm } from '../ui/confirm.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { EmptyState } from '../ui/states.tsx';
import { showError } from '../ui/toasts.tsx';
import { Loaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';

type Apps = readonly AuthorizedApplication[];

/** The apps with access to the account. */
export function AppsPage() {
  return (
    <PreferenceFrame title={t('preferences.apps')} intro={t('apps.intro')}>
      <Loaded<Apps> path="/api/v1/fieldfare/authorized_apps">
        {(apps, set) =>
          apps.length === 0 ? (
            <EmptyState title={t('apps.none')} />
          ) : (
            <ul class="row-list">
              {apps.map((app) => (
                <App key={app.id} app={app} onRevoke={() => void revoke(apps, app, set)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <p>
        <a href="/device">{t('apps.device')}</a>
      </p>
    </PreferenceFrame>
  );
}

function App({ app, onRevoke }: { readonly app: AuthorizedApplication; readonly onRevoke: () => void }) {
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
      </div>
      <button type="button" class="button quiet" aria-label={t('apps.revokeOf', { name })} onClick={onRevoke}>
        {t('apps.revoke')}
      </button>
    </li>
  );
}

async function revoke(apps: Apps, app: AuthorizedApplication, set: (apps: Apps) => void): Promise<void> {
  const question = { title: t('apps.confirmTitle', { name: app.name }), text: t('apps.confirmText') };
  if (!(await confirm({ ...question, action: t('apps.revoke') }))) return;
  set(apps.filter(({ id }) => id !== app.id));
  try {
    await request('DELETE', `/api/v1/fieldfare/authorized_apps/${app.id}`);
  } catch (error) {
    set(apps);
    showError(error);
  }
}
