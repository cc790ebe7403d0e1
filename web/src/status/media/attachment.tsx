import file from '@phosphor-icons/core/regular/file.svg?raw';
import type { MediaAttachment } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { Animation } from './animation.tsx';
import { isTall, positionOf, previewUrlOf, sizeOf } from './layout.ts';
import { Recording } from './recording.tsx';

interface AttachmentProps {
  /** Asks for a description; undefined unless the reader is the author. */
  readonly onDescribe?: (() => void) | undefined;
  readonly attachment: MediaAttachment;
  /** How many pictures of the post are not shown, to which this one leads. */
  readonly further: number;
  /** Opens it in the viewer. */
  readonly onOpen: () => void;
  /** Called when an image or a video is loaded, and nothing has to fill its place any more. */
  readonly onLoaded: () => void;
}

/** An attachment of a post in its place in the grid. */
export function Attachment(props: AttachmentProps) {
  const { attachment, onDescribe } = props;
  const description = attachment.description ?? '';
  const hasBadge = attachment.type !== 'unknown' && (description !== '' || onDescribe !== undefined);
  return (
    <>
      <Content {...props} />
      {hasBadge &&
        (description === '' ? (
          <button type="button" class="alt-badge missing" onClick={onDescribe}>
            {t('media.addDescription')}
          </button>
        ) : (
          <button
            type="button"
            class="alt-badge"
            title={t('media.showDescription')}
            onClick={() => showDescription(description)}
          >
            {t('media.alt')}
          </button>
        ))}
    </>
  );
}

function showDescription(description: string): void {
  openDialog((close) => (
    <Dialog title={t('media.description')} onClose={close}>
      <p class="description" dir="auto">
        {description}
      </p>
    </Dialog>
  ));
}

function Content(props: AttachmentProps) {
  const { attachment, further } = props;
  if (further > 0) return <Image {...props} />;
  switch (attachment.type) {
    case 'image':
      return <Image {...props} />;
    case 'gifv':
      return <Animation {...props} />;
    case 'video':
      return <Recording {...props} />;
    case 'audio':
      return (
        <>
          {attachment.preview_url !== null && (
            <img class="audio-cover" src={attachment.preview_url} alt="" loading="lazy" />
          )}
          <Recording {...props} />
        </>
      );
    case 'unknown':
      return <File attachment={attachment} />;
  }
}

function Image({ attachment, further, onOpen, onLoaded }: AttachmentProps) {
  const { description } = attachment;
  return (
    <button
      type="button"
      class="media-open"
      data-key="v"
      aria-label={description === null || description === '' ? t('media.openImage') : undefined}
      title={description ?? ''}
      onClick={onOpen}
    >
      <img
        src={previewUrlOf(attachment) ?? ''}
        alt={description ?? ''}
        loading="lazy"
        decoding="async"
        onLoad={onLoaded}
        style={{ objectPosition: positionOf(attachment) }}
      />
      {further > 0 ? (
        <span class="media-further">+{formatCount(further)}</span>
      ) : (
        isTall(sizeOf(attachment)) && <span class="media-mark">{t('media.tall')}</span>
      )}
    </button>
  );
}

function File({ attachment }: Pick<AttachmentProps, 'attachment'>) {
  const { remote_url: remote, url, description } = attachment;
  return (
    <a class="media-file" href={remote ?? url ?? ''} target="_blank" rel="noopener noreferrer">
      <Icon svg={file} />
      <span dir="auto">{description ?? t('media.file')}</span>
    </a>
  );
}
