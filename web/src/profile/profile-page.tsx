import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import { NotFoundPage, PageHeader } from '../layout/index.ts';
import { accountOf } from '../store/statuses.ts';
import { nameOf } from '../ui/display-name.tsx';
import { EmptyState, LoadingPosts } from '../ui/states.tsx';
import { NotLoaded } from '../ui/use-loaded.tsx';
import { useAccount } from './load-profile.ts';
import { ProfileContent } from './profile-content.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { ProfileGate } from './profile-gate.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import { ProfileTabs } from './profile-tabs.tsx';
import type { ProfileTab } from './profile-tab.ts';

interface ProfilePageProps {
  readonly handle?: string;
  readonly tab?: ProfileTab;
  /** Of the posts with a hashtag. */
  readonly tag?: string;
}

/** The profile of an account at `/@name`, with one of its tabs. */
export function ProfilePage({ handle = '', tab = 'posts', tag = '' }: ProfilePageProps) {
  return handle.startsWith('@') ? <Profile key={handle} handle={handle} tab={tab} tag={tag} /> : <NotFoundPage />;
}

function Profile({ handle, tab, tag }: Required<ProfilePageProps>) {
  const { id, loaded } = useAccount(handle);
  if (id === undefined)
    return (
      <Frame title={handle}>
        {loaded.error === undefined && <div class="profile-banner" />}
        <NotLoaded of={loaded} count={3} />
      </Frame>
    );
  if (id === null)
    return (
      <Frame title={handle}>
        <EmptyState title={t('profile.missing', { handle })}>
          <p>{t('profile.missingHint')}</p>
          <a class="button quiet" href={`/search?q=${encodeURIComponent(handle)}`}>
            {t('profile.search')}
          </a>
        </EmptyState>
      </Frame>
    );
  return <LoadedProfile id={id} tab={tab} tag={tag} />;
}

function Frame({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <>
      <PageHeader title={title} hasBack />
      {children}
    </>
  );
}

function LoadedProfile({ id, tab, tag }: { readonly id: string; readonly tab: ProfileTab; readonly tag: string }) {
  const account = accountOf(id).value;
  if (account === undefined) return <LoadingPosts />;
  return (
    <>
      <PageHeader title={nameOf(account)} hasBack actions={<ProfileMenu account={account} />} />
      <ProfileGate account={account}>
        <ProfileHeader account={account} tab={tab} />
        <ProfileTabs account={account} />
        <ProfileContent account={account} tab={tab} tag={tag} />
      </ProfileGate>
    </>
  );
}
