import { useSignal } from '@preact/signals';
import type { MediaAttachment, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { settings } from '../session/settings.ts';
import './status-media.css';

/** The attachments of a post, covered if they are sensitive. */
export function StatusMedia({ status }: { readonly status: Status }) {
  const { media } = settings.value.reading;
  const isShown = useSignal(media === 'show' || (media === 'default' && !status.sensitive));
  const { media_attachments: attachments } = status;
  if (!isShown.value)
    return (
      <div class="media-cover">
        <button type="button" class="button" onClick={() => (isShown.value = true)}>
          {t('status.showMedia', { count: attachments.length })}
        </button>
      </div>
    );
  return (
    <div class={`media-grid of-${Math.min(attachments.length, 4)}`}>
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} attachment={attachment} />
      ))}
    </div>
  );
}

interface AttachmentProps {
  readonly attachment: MediaAttachment;
}

function Attachment({ attachment }: AttachmentProps) {
  switch (attachment.type) {
    case 'image':
      return <Image attachment={attachment} />;
    case 'gifv':
    case 'video':
      return <Video attachment={attachment} />;
    case 'audio':
      return (
        <audio
          class="media-audio"
          src={attachment.url ?? ''}
          controls
          preload="none"
          aria-label={attachment.description ?? t('status.audio')}
        />
      );
    case 'unknown':
      return (
        <a class="media-file" href={attachment.remote_url ?? attachment.url ?? ''} target="_blank" rel="noopener">
          {attachment.description ?? t('status.file')}
        </a>
      );
  }
}

/** Reserves the space of an attachment before it is loaded. */
function aspectRatio({ meta }: MediaAttachment): string {
  const size = meta?.small ?? meta?.original;
  return size !== undefined && 'width' in size ? `${size.width} / ${size.height}` : '16 / 9';
}

function Image({ attachment }: AttachmentProps) {
  const { url, preview_url: preview, description } = attachment;
  return (
    <a class="media" href={url ?? ''} target="_blank" rel="noopener" style={{ aspectRatio: aspectRatio(attachment) }}>
      <img
        src={preview ?? url ?? ''}
        alt={description ?? ''}
        title={description ?? ''}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

function Video({ attachment }: AttachmentProps) {
  const { type, url, preview_url: preview, description } = attachment;
  const isAnimation = type === 'gifv';
  return (
    <video
      class="media"
      src={url ?? ''}
      poster={preview ?? undefined}
      controls
      loop={isAnimation}
      muted={isAnimation}
      preload="none"
      aria-label={description ?? t('status.video')}
      style={{ aspectRatio: aspectRatio(attachment) }}
    />
  );
}
