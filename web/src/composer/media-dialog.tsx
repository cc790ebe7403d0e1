import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { CancelButton, Dialog } from '../ui/dialog.tsx';
import { limitInput } from '../ui/limit-input.ts';
import { previewOf } from './attach-files.ts';
import type { ComposedMedia, Focus, MediaChanges } from './composed.ts';
import './media-dialog.css';

interface MediaDialogProps {
  readonly media: ComposedMedia;
  readonly onSave: (changes: MediaChanges) => void;
  readonly onClose: () => void;
}

/** Asks for the description of a file, and for the point of an image that previews keep visible. */
export function MediaDialog({ media, onSave, onClose }: MediaDialogProps) {
  const description = useSignal(media.description);
  const focus = useSignal(media.focus);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const limit = instance.value?.configuration.media_attachments.description_limit ?? 1_500;
  const preview = media.attachment?.url ?? previewOf(media);
  const type = media.attachment?.type ?? (preview === undefined ? 'unknown' : 'image');
  const isPlayed = type === 'video' || type === 'gifv';
  return (
    <Dialog
      title={media.description === '' ? t('upload.addDescription') : t('upload.describe')}
      size={type === 'audio' || preview == null ? 'normal' : 'wide'}
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button
            type="button"
            class="button"
            onClick={() => {
              onSave({ description: description.value.trim(), focus: focus.value });
              onClose();
            }}
          >
            {t('upload.save')}
          </button>
        </>
      }
    >
      <div class={preview == null || type === 'audio' ? 'described-file' : 'described-file has-picture'}>
        {preview != null && (
          <div>
            {type === 'image' && <FocusPoint image={preview} focus={focus.value} onMove={(to) => (focus.value = to)} />}
            {isPlayed && <video src={preview} controls playsInline preload="metadata" aria-label={t('media.video')} />}
            {type === 'audio' && <audio src={preview} controls preload="none" aria-label={t('media.audio')} />}
          </div>
        )}
        <div class="field">
          <label for={id}>{t('upload.description')}</label>
          <textarea
            ref={field}
            id={id}
            dir="auto"
            rows={4}
            value={description.value}
            onInput={limitInput(limit, (text) => (description.value = text))}
          />
          <p class="hint">{t('upload.descriptionHint')}</p>
          {description.value === '' && media.earlierDescription !== undefined && (
            <EarlierDescription
              text={media.earlierDescription}
              onUse={(text) => {
                description.value = text;
                field.current?.focus();
              }}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface EarlierDescriptionProps {
  readonly text: string;
  readonly onUse: (text: string) => void;
}

/** Offers what the author wrote about the same file before. */
function EarlierDescription({ text, onUse }: EarlierDescriptionProps) {
  return (
    <div class="earlier-description">
      <blockquote dir="auto">{text}</blockquote>
      <button type="button" class="button quiet" onClick={() => onUse(text)}>
        {t('upload.useEarlier')}
      </button>
    </div>
  );
}

interface FocusPointProps {
  readonly image: string;
  readonly focus: Focus;
  readonly onMove: (focus: Focus) => void;
}

const step = 0.1;
const steps: Readonly<Record<string, Focus>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: step },
  ArrowDown: { x: 0, y: -step },
};
const bounded = (value: number): number => Math.round(Math.max(-1, Math.min(1, value)) * 100) / 100;

function FocusPoint({ image, focus, onMove }: FocusPointProps) {
  const percent = (value: number): number => Math.round((value + 1) * 50);
  const position = { insetInlineStart: 'auto', left: `${percent(focus.x)}%`, top: `${percent(-focus.y)}%` };
  return (
    <>
      <button
        type="button"
        class="focus-point"
        aria-label={t('upload.focus', { x: percent(focus.x), y: percent(-focus.y) })}
        onClick={(event) => {
          // The keyboard moves it by the arrow keys.
          if (event.detail === 0) return;
          const box = event.currentTarget.getBoundingClientRect();
          const x = ((event.clientX - box.left) / box.width) * 2 - 1;
          const y = 1 - ((event.clientY - box.top) / box.height) * 2;
          onMove({ x: bounded(x), y: bounded(y) });
        }}
        onKeyDown={(event) => {
          const by = steps[event.key];
          if (by === undefined) return;
          event.preventDefault();
          onMove({ x: bounded(focus.x + by.x), y: bounded(focus.y + by.y) });
        }}
      >
        <img src={image} alt="" />
        <span class="focus-mark" style={position} />
      </button>
      <p class="soft small">{t('upload.focusHint')}</p>
    </>
  );
}
