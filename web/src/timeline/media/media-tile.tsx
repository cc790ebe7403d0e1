import eyeSlash from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import file from '@phosphor-icons/core/regular/file-audio.svg?raw';
import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { locale, t } from '../../i18n/translate.tsx';
import { positionOf, previewUrlOf } from '../../status/media/index.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Tile } from './media-view.ts';

interface MediaTileProps {
  readonly tile: Tile;
  readonly onPress: () => void;
}

/** A picture of a post, cut to a square. A press opens the viewer, or uncovers it. */
export function MediaTile({ tile: { attachment, status, isCovered }, onPress }: MediaTileProps) {
  const { type, preview_url: preview, description } = attachment;
  const image = type === 'image' ? previewUrlOf(attachment) : preview !== attachment.url ? preview : null;
  const date = new Date(status.created_at).toLocaleDateString(locale.value);
  const name = description || t('mediaView.mediaOf', { name: status.account.acct, date });
  return (
    <button
      type="button"
      class="media-tile"
      aria-label={isCovered ? t('mediaView.sensitive', { name: status.account.acct, date }) : name}
      onClick={onPress}
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
    </button>
  );
}
