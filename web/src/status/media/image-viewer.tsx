import arrowLeft from '@phosphor-icons/core/regular/caret-left.svg?raw';
import arrowRight from '@phosphor-icons/core/regular/caret-right.svg?raw';
import download from '@phosphor-icons/core/regular/download-simple.svg?raw';
import minus from '@phosphor-icons/core/regular/magnifying-glass-minus.svg?raw';
import plus from '@phosphor-icons/core/regular/magnifying-glass-plus.svg?raw';
import open from '@phosphor-icons/core/regular/arrow-square-out.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useModal } from '../../ui/use-layer.ts';
import { isTall, sizeOf } from './layout.ts';
import type { ViewedImage, ViewerOptions } from './open-viewer.tsx';
import { PlayArea } from './play-area.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { ZoomArea } from './zoom-area.tsx';
import { doubleClickScale, maxScale } from './zoom.ts';
import './image-viewer.css';

interface ImageViewerProps extends ViewerOptions {
  readonly attachments: readonly ViewedImage[];
  readonly initialIndex: number;
  readonly onClose: () => void;
}

/** Parts of the window by which keys scroll a tall image. */
const scrollSteps: Readonly<Record<string, number>> = {
  ArrowDown: 0.1,
  ArrowUp: -0.1,
  PageDown: 0.9,
  PageUp: -0.9,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Shows images one by one: arrow keys and swipes change the image; double clicks, pinches, + and - zoom. Tall ones scroll,
 * animations and recordings are played.
 */
export function ImageViewer({ attachments, initialIndex, onClose, renderBelow, onNearEnd }: ImageViewerProps) {
  const modal = useModal(onClose);
  const index = useSignal(initialIndex);
  const scale = useSignal(1);
  /** Of an image whose size the server does not know. */
  const loadedSize = useSignal<{ readonly width: number; readonly height: number } | undefined>(undefined);
  const move = (step: number): void => {
    const target = index.peek() + step;
    if (target < 0 || target >= attachments.length) return;
    index.value = target;
    scale.value = 1;
    loadedSize.value = undefined;
  };
  const scroll = (step: number): void => {
    const area = modal.ref.current?.querySelector('.scroll-area');
    if (area == null) return;
    const { clientHeight, scrollHeight } = area;
    area.scrollBy({ top: Math.max(-scrollHeight, Math.min(scrollHeight, step * clientHeight)) });
  };
  useEffect(() => {
    if (index.value >= attachments.length - 2) onNearEnd?.();
  }, [index.value, attachments.length]);
  // The keys work also after the button that had the focus is gone.
  useEffect(() => {
    if (modal.ref.current?.contains(document.activeElement) !== true) modal.ref.current?.focus();
  }, [index.value]);
  const attachment = attachments[index.value];
  if (attachment === undefined) return null;
  const size = sizeOf(attachment) ?? loadedSize.value;
  const area = { attachment, scale, onSwipe: move, onDismiss: onClose };
  return (
    // Its keys are shortcuts of the buttons in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      {...modal}
      class="viewer"
      tabIndex={-1}
      aria-label={t('viewer.title')}
      onKeyDown={(event) => {
        const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') move(event.key === forward ? 1 : -1);
        else if (event.key === '+' || event.key === '=') scale.value = Math.min(maxScale, scale.peek() * 1.5);
        else if (event.key === '-') scale.value = Math.max(1, scale.peek() / 1.5);
        else if (event.key === '0') scale.value = 1;
        else if (scrollSteps[event.key] !== undefined) scroll(scrollSteps[event.key] ?? 0);
        else return;
        event.preventDefault();
      }}
    >
      <Toolbar attachment={attachment} index={index.value} count={attachments.length} scale={scale} onClose={onClose} />
      {isPlayed(attachment) ? (
        <PlayArea key={attachment.id} {...area} />
      ) : isTall(size) ? (
        <ScrollArea key={attachment.id} {...area} width={size?.width ?? 0} />
      ) : (
        <ZoomArea
          key={attachment.id}
          {...area}
          onLoad={({ naturalWidth: width, naturalHeight: height }) => (loadedSize.value = { width, height })}
        />
      )}
      {attachment.description !== null && attachment.description !== '' && (
        // A text that scrolls can be scrolled by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <p class="viewer-description" dir="auto" tabIndex={0}>
          {attachment.description}
        </p>
      )}
      {renderBelow?.(attachment, onClose)}
      {index.value > 0 && (
        <button type="button" class="viewer-step previous" aria-label={t('viewer.previous')} onClick={() => move(-1)}>
          <Icon svg={arrowLeft} isDirectional />
        </button>
      )}
      {index.value < attachments.length - 1 && (
        <button type="button" class="viewer-step next" aria-label={t('viewer.next')} onClick={() => move(1)}>
          <Icon svg={arrowRight} isDirectional />
        </button>
      )}
    </dialog>
  );
}

const isPlayed = ({ type = 'image' }: ViewedImage): boolean => type !== 'image' && type !== 'unknown';

interface ToolbarProps {
  readonly attachment: ViewedImage;
  readonly index: number;
  readonly count: number;
  readonly scale: { value: number };
  readonly onClose: () => void;
}

function Toolbar({ attachment, index, count, scale, onClose }: ToolbarProps) {
  const url = attachment.url ?? attachment.preview_url ?? '';
  return (
    <div class="viewer-toolbar">
      <span role="status">{count > 1 && t('viewer.position', { index: index + 1, total: count })}</span>
      {!isPlayed(attachment) && (
        <button
          type="button"
          aria-label={scale.value > 1 ? t('viewer.zoomOut') : t('viewer.zoomIn')}
          title={scale.value > 1 ? t('viewer.zoomOut') : t('viewer.zoomIn')}
          onClick={() => (scale.value = scale.value > 1 ? 1 : doubleClickScale)}
        >
          <Icon svg={scale.value > 1 ? minus : plus} />
        </button>
      )}
      <a href={url} download aria-label={t('viewer.download')} title={t('viewer.download')}>
        <Icon svg={download} />
      </a>
      <a
        href={attachment.remote_url ?? url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t('viewer.open')}
        title={t('viewer.open')}
      >
        <Icon svg={open} isDirectional />
      </a>
      <button type="button" aria-label={t('app.close')} title={t('app.close')} onClick={onClose}>
        <Icon svg={x} />
      </button>
    </div>
  );
}
