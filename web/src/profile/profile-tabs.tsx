import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { Tabs } from '../ui/tabs.tsx';

/** The tabs of a profile. Those that its owner turned off are left out, but for the owner. */
export function ProfileTabs({ account }: { readonly account: Account }) {
  const path = `/@${account.acct}`;
  const isMine = account.id === me.value.id;
  return (
    <Tabs
      label={t('profile.tabs')}
      tabs={[
        { path, label: t('profile.posts') },
        { path: `${path}/with_replies`, label: t('profile.replies') },
        ...(account.show_media || isMine ? [{ path: `${path}/media`, label: t('profile.media') }] : []),
        ...(account.show_featured || isMine ? [{ path: `${path}/featured`, label: t('profile.featured') }] : []),
      ]}
    />
  );
}
