import eyeSlash from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import file from '@phosphor-icons/core/regular/file-audio.svg?raw';
import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { withQuery } from '../api/client.ts';
import type { Account, MediaAttachment, Status } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { usePages } from '../store/pages.ts';
import { nameOf } from '../ui/display-name.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { settings } from '../session/settings.ts';
import { positionOf, previewUrlOf } from '../status/media/index.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import { OriginalPageHint } from './original-page-hint.tsx';
import './media-grid.css';

/** The attachments of an account as a grid. Each opens its post. */
export function MediaGrid({ account }: { readonly account: Account }) {
  const list = usePages<Status>(
    withQuery(`/api/v1/accounts/${account.id}/statuses`, {
      only_media: true,
      exclude_replies: account.show_media_replies ? undefined : true,
      limit: 40,
    }),
  );
  return (
    <div class="profile-media">
      <PagedList
        hasLines
        pages={list}
        label={t('profile.media')}
        empty={<EmptyState title={t('profile.noMedia', { name: nameOf(account) })} />}
        keyOf={({ id }) => id}
        render={(status) => (
          <>
            {status.media_attachments.map((attachment) => (
              <Tile key={attachment.id} status={status} attachment={attachment} />
            ))}
          </>
        )}
      />
      <OriginalPageHint account={account} text={t('profile.olderElsewhere')} />
    </div>
  );
}

interface TileProps {
  readonly status: Status;
  readonly attachment: MediaAttachment;
}

function Tile({ status, attachment }: TileProps) {
  const { media } = settings.value.reading;
  const isCovered = media === 'hide' || (media === 'default' && status.sensitive);
  const { type, preview_url: preview, description } = attachment;
  const image = type === 'image' ? previewUrlOf(attachment) : preview !== attachment.url ? preview : null;
  return (
    <a
      class="media-tile"
      href={`/@${status.account.acct}/${status.id}`}
      aria-label={isCovered ? t('profile.sensitiveMedia', { date: dayOf(status) }) : describe(status, description)}
    >
      {isCovered ? (
        <Icon svg={eyeSlash} />
      ) : image === null ? (
        <Icon svg={file} />
      ) : (
        <img src={image} alt="" loading="lazy" decoding="async" style={{ objectPosition: positionOf(attachment) }} />
      )}
      {!isCovered && type !== 'image' && image !== null && (
        <span class="media-kind">
          <Icon svg={play} />
        </span>
      )}
    </a>
  );
}

const dayOf = ({ created_at: time }: Status): string => new Date(time).toLocaleDateString(locale.value);

const describe = (status: Status, description: string | null): string =>
  description === null || description === '' ? t('profile.mediaOf', { date: dayOf(status) }) : description;
