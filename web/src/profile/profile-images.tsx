import type { ComponentChildren } from 'preact';
import type { Account } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openViewer } from '../status/media/index.ts';
import { nameOf } from '../ui/display-name.tsx';

interface ProfileImagesProps {
  readonly account: Account;
  readonly actions: ComponentChildren;
}

/** The header image and the avatar, which open large, and the buttons beside the avatar. */
export function ProfileImages({ account, actions }: ProfileImagesProps) {
  const name = nameOf(account);
  const hasHeader = !account.header_static.endsWith('/missing.png') && account.header_static !== '';
  return (
    <>
      {hasHeader ? (
        <button
          type="button"
          class="profile-banner"
          aria-label={t('profile.openHeader', { name })}
          onClick={() => openImage(t('profile.headerOf', { name }), account.header, account.header_description)}
        >
          <img src={account.header_static} alt="" />
        </button>
      ) : (
        <div class="profile-banner" />
      )}
      <div class="profile-images">
        <button
          type="button"
          class="profile-avatar"
          aria-label={t('profile.openAvatar', { name })}
          onClick={() => openImage(t('profile.avatarOf', { name }), account.avatar, account.avatar_description)}
        >
          <img src={account.avatar_static} alt="" width={96} height={96} />
        </button>
        <div class="profile-actions">{actions}</div>
      </div>
    </>
  );
}

function openImage(title: string, url: string, description: string): void {
  const image = {
    id: url,
    url,
    preview_url: url,
    remote_url: null,
    description: description === '' ? title : description,
  };
  void openViewer([image], 0);
}
