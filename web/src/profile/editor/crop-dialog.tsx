import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { CancelButton, Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { centered, dragCrop, maxZoom, visiblePart, type Crop } from './crop.ts';

/** The size that an image is stored with, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Opens the choice of the visible part of an image. Resolves to it as a data URI, or undefined if it was closed. */
export function openCrop(image: ImageBitmap, size: ImageSize): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  openDialog((close) => (
    <CropDialog
      image={image}
      size={size}
      onDone={(result) => {
        close();
        resolve(result);
      }}
    />
  ));
  return promise;
}

interface CropDialogProps {
  readonly image: ImageBitmap;
  readonly size: ImageSize;
  readonly onDone: (result: string | undefined) => void;
}

function CropDialog({ image, size, onDone }: CropDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const crop = useSignal<Crop>(centered);
  const aspect = size.width / size.height;
  const current = crop.value;
  useEffect(() => {
    const part = visiblePart(image, aspect, current);
    const context = canvas.current?.getContext('2d');
    context?.clearRect(0, 0, size.width, size.height);
    context?.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
  }, [image, current]);
  return (
    <Dialog
      title={t('profileEditor.crop')}
      onClose={() => onDone(undefined)}
      actions={
        <>
          <CancelButton onClick={() => onDone(undefined)} />
          <button type="button" class="button" onClick={() => onDone(canvas.current?.toDataURL('image/png'))}>
            {t('profileEditor.applyCrop')}
          </button>
        </>
      }
    >
      <p class="soft small">{t('profileEditor.cropHint')}</p>
      <canvas
        ref={canvas}
        class={aspect === 1 ? 'crop square' : 'crop'}
        width={size.width}
        height={size.height}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const { width, height } = event.currentTarget.getBoundingClientRect();
          const by = { x: event.movementX / width, y: event.movementY / height };
          crop.value = dragCrop(image, aspect, crop.peek(), by);
        }}
      />
      <Sliders crop={current} onChange={(changes) => (crop.value = { ...crop.peek(), ...changes })} />
    </Dialog>
  );
}

interface SlidersProps {
  readonly crop: Crop;
  readonly onChange: (changes: Partial<Crop>) => void;
}

function Sliders({ crop, onChange }: SlidersProps) {
  const id = useId();
  const sliders = [
    { name: 'zoom', label: t('profileEditor.zoom'), min: 1, max: maxZoom },
    { name: 'x', label: t('profileEditor.horizontal'), min: 0, max: 1 },
    { name: 'y', label: t('profileEditor.vertical'), min: 0, max: 1 },
  ] as const;
  return (
    <div class="crop-sliders">
      {sliders.map(({ name, label, min, max }) => (
        <div key={name}>
          <label for={id + name}>{label}</label>
          <input
            id={id + name}
            type="range"
            min={min}
            max={max}
            step={0.02}
            value={crop[name]}
            onInput={(event) => onChange({ [name]: event.currentTarget.valueAsNumber })}
          />
        </div>
      ))}
    </div>
  );
}
