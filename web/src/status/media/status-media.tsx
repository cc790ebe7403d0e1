import eyeClosed from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import { useSignal } from '@preact/signals';
import type { MatchedFilter, MediaAttachment, Status, Translation } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { Attachment } from './attachment.tsx';
import { Blurhash } from './blurhash.tsx';
import { ratioOf } from './layout.ts';
import { openViewer } from './open-viewer.tsx';
import './status-media.css';

interface StatusMediaProps {
  readonly status: Pick<Status, 'media_attachments' | 'sensitive'>;
  /** Filters that cover them. */
  readonly blurredBy?: readonly MatchedFilter[];
  /** Has their descriptions in another language. */
  readonly translation?: Translation | undefined;
}

/** The attachments of a post, covered if they are sensitive or a filter says so. */
export function StatusMedia({ status, blurredBy = [], translation }: StatusMediaProps) {
  const { media } = settings.value.reading;
  const isCoverable = status.sensitive || blurredBy.length > 0 || media === 'hide';
  const isShown = useSignal(!(blurredBy.length > 0 || media === 'hide' || (media === 'default' && status.sensitive)));
  const attachments = status.media_attachments.map((one) => withDescription(one, translation));
  const viewable = attachments.filter(({ type }) => type === 'image' || type === 'gifv');
  return (
    <div class={`media-grid of-${Math.min(attachments.length, 4)}`}>
      {attachments.map((attachment) => (
        <div
          key={attachment.id}
          class={`media ${attachment.type}`}
          style={{ aspectRatio: attachments.length === 1 ? String(ratioOf(attachment)) : undefined }}
        >
          <Medium
            attachment={attachment}
            isShown={isShown.value}
            onOpen={() => void openViewer(viewable, Math.max(0, viewable.indexOf(attachment)))}
          />
        </div>
      ))}
      {isShown.value ? (
        isCoverable && (
          <button
            type="button"
            class="media-hide"
            data-key="h"
            aria-label={t('status.hideMedia')}
            title={t('status.hideMedia')}
            onClick={() => (isShown.value = false)}
          >
            <Icon svg={eyeClosed} />
          </button>
        )
      ) : (
        <div class="media-cover">
          <button type="button" class="button" data-key="h" onClick={() => (isShown.value = true)}>
            {status.sensitive
              ? t('status.showMedia', { count: attachments.length })
              : t('status.showHiddenMedia', { count: attachments.length })}
          </button>
          {blurredBy.length > 0 && (
            <span class="media-reason" dir="auto">
              {t('status.filtered', { titles: blurredBy.map(({ title }) => title).join(', ') })}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

interface MediumProps {
  readonly attachment: MediaAttachment;
  readonly isShown: boolean;
  readonly onOpen: () => void;
}

/** An attachment, or its blurred picture while it is covered or loads: a transparent image has nothing behind it. */
function Medium({ attachment, isShown, onOpen }: MediumProps) {
  const isLoaded = useSignal(false);
  const isBlurred = isShown ? attachment.type !== 'audio' && !isLoaded.value : true;
  return (
    <>
      {isBlurred && <Blurhash hash={attachment.blurhash} />}
      {isShown && <Attachment attachment={attachment} onOpen={onOpen} onLoaded={() => (isLoaded.value = true)} />}
    </>
  );
}

function withDescription(attachment: MediaAttachment, translation: Translation | undefined): MediaAttachment {
  const description = translation?.media_attachments.find(({ id }) => id === attachment.id)?.description;
  return description == null ? attachment : { ...attachment, description };
}
