import eyeClosed from '@phosphor-icons/core/regular/eye-slash.svg?raw';
import { useSignal } from '@preact/signals';
import type { MatchedFilter, MediaAttachment, Status, Translation } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { Attachment } from './attachment.tsx';
import { Blurhash } from './blurhash.tsx';
import { maxPictures, maxWidthOf, ratioOf, rowsOf } from './layout.ts';
import { openViewer } from './open-viewer.tsx';
import './status-media.css';

interface StatusMediaProps {
  readonly status: Pick<Status, 'media_attachments' | 'sensitive'>;
  /** Filters that cover them. */
  readonly blurredBy?: readonly MatchedFilter[];
  /** Asks for the description of one; undefined unless the reader is the author. */
  readonly onDescribe?: ((attachment: MediaAttachment) => void) | undefined;
  /** Has their descriptions in another language. */
  readonly translation?: Translation | undefined;
}

/** The attachments of a post, covered if they are sensitive or a filter says so. */
export function StatusMedia({ status, blurredBy = [], onDescribe, translation }: StatusMediaProps) {
  const { media } = settings.value.reading;
  const isCoverable = status.sensitive || blurredBy.length > 0 || media === 'hide';
  const isShown = useSignal(!(blurredBy.length > 0 || media === 'hide' || (media === 'default' && status.sensitive)));
  const attachments = status.media_attachments.map((one) => withDescription(one, translation));
  const pictures = attachments.filter((attachment) => !isFile(attachment));
  const viewable = attachments.filter(({ type }) => type === 'image' || type === 'gifv');
  return (
    <div class="media-grid" style={{ maxInlineSize: widthOf(pictures) }}>
      {rowsOf(pictures).map(({ items, ratio }) => (
        <div key={items[0]?.id} class="media-row" style={{ aspectRatio: String(ratio) }}>
          {items.map((attachment) => (
            <div
              key={attachment.id}
              class={`media ${attachment.type}`}
              // A sum below 1 would leave a part of the row empty.
              style={{ flexGrow: String(10 * ratioOf(attachment)) }}
            >
              <Medium
                attachment={attachment}
                isShown={isShown.value}
                onDescribe={onDescribe}
                further={attachment === pictures[maxPictures - 1] ? pictures.length - maxPictures : 0}
                onOpen={() => void openViewer(viewable, Math.max(0, viewable.indexOf(attachment)))}
              />
            </div>
          ))}
        </div>
      ))}
      {attachments.filter(isFile).map((attachment) => (
        <div key={attachment.id} class={`media ${attachment.type}`}>
          <Medium attachment={attachment} isShown={isShown.value} onDescribe={onDescribe} />
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

/** Whether an attachment has no picture of its own shape: it takes the width of the post, below the pictures. */
const isFile = ({ type }: MediaAttachment): boolean => type === 'audio' || type === 'unknown';

/** Returns the CSS width that pictures take at most. */
function widthOf([first, ...others]: readonly MediaAttachment[]): string | undefined {
  const width = first === undefined || others.length > 0 ? undefined : maxWidthOf(first);
  return width === undefined ? undefined : `${width}px`;
}

interface MediumProps {
  readonly attachment: MediaAttachment;
  readonly isShown: boolean;
  /** How many pictures are not shown, to which this one leads. */
  readonly further?: number;
  readonly onOpen?: () => void;
  readonly onDescribe: StatusMediaProps['onDescribe'];
}

/** An attachment, or its blurred picture while it is covered or loads: a transparent image has nothing behind it. */
function Medium({ attachment, isShown, further = 0, onOpen = () => undefined, onDescribe }: MediumProps) {
  const isLoaded = useSignal(false);
  const isBlurred = isShown ? attachment.type !== 'audio' && !isLoaded.value : true;
  return (
    <>
      {isBlurred && <Blurhash hash={attachment.blurhash} />}
      {isShown && (
        <Attachment
          attachment={attachment}
          further={further}
          onOpen={onOpen}
          onDescribe={onDescribe && (() => onDescribe(attachment))}
          onLoaded={() => (isLoaded.value = true)}
        />
      )}
    </>
  );
}

function withDescription(attachment: MediaAttachment, translation: Translation | undefined): MediaAttachment {
  const description = translation?.media_attachments.find(({ id }) => id === attachment.id)?.description;
  return description == null ? attachment : { ...attachment, description };
}
