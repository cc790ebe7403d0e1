import file from '@phosphor-icons/core/regular/file.svg?raw';
import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { MediaAttachment } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { positionOf, previewUrlOf } from './layout.ts';
import { pauseOthers } from './playing.ts';

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
      return <Video {...props} />;
    case 'audio':
      return <Audio attachment={attachment} />;
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
      {further > 0 && <span class="media-further">+{formatCount(further)}</span>}
    </button>
  );
}

type ContentProps = Pick<AttachmentProps, 'attachment'>;

function Animation({ attachment, onLoaded }: Pick<AttachmentProps, 'attachment' | 'onLoaded'>) {
  const { autoplay } = settings.value.reading;
  const video = useRef<HTMLVideoElement>(null);
  const isPlaying = useSignal(false);
  const toggle = (): void => {
    if (isPlaying.peek()) video.current?.pause();
    // A refusal by the browser leaves it paused.
    else video.current?.play().catch(() => undefined);
  };
  useEffect(() => {
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (autoplay && !isReduced) video.current?.play().catch(() => undefined);
  }, [autoplay]);
  return (
    <button
      type="button"
      class="media-open"
      aria-label={t(isPlaying.value ? 'media.pauseAnimation' : 'media.playAnimation', {
        description: attachment.description ?? '',
      })}
      onClick={toggle}
    >
      <video
        ref={video}
        src={attachment.url ?? ''}
        poster={attachment.preview_url ?? undefined}
        loop
        muted
        playsInline
        preload="none"
        tabIndex={-1}
        onLoadedData={onLoaded}
        onPlay={() => (isPlaying.value = true)}
        onPause={() => (isPlaying.value = false)}
      />
      {!isPlaying.value && (
        <span class="play" aria-hidden="true">
          <Icon svg={play} />
        </span>
      )}
    </button>
  );
}

function Video({ attachment, onLoaded }: Pick<AttachmentProps, 'attachment' | 'onLoaded'>) {
  const { url, preview_url: preview, description } = attachment;
  return (
    <video
      src={url ?? ''}
      poster={preview ?? undefined}
      controls
      playsInline
      preload="none"
      aria-label={description ?? t('media.video')}
      onLoadedData={onLoaded}
      onPlay={(event) => pauseOthers(event.currentTarget)}
    />
  );
}

function Audio({ attachment }: ContentProps) {
  const { url, preview_url: cover, description } = attachment;
  return (
    <>
      {cover !== null && <img class="audio-cover" src={cover} alt="" loading="lazy" />}
      <audio
        src={url ?? ''}
        controls
        preload="none"
        aria-label={description ?? t('media.audio')}
        onPlay={(event) => pauseOthers(event.currentTarget)}
      />
    </>
  );
}

function File({ attachment }: ContentProps) {
  const { remote_url: remote, url, description } = attachment;
  return (
    <a class="media-file" href={remote ?? url ?? ''} target="_blank" rel="noopener noreferrer">
      <Icon svg={file} />
      <span dir="auto">{description ?? t('media.file')}</span>
    </a>
  );
}
