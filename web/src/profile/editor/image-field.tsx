import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import { openCrop, type ImageSize } from './crop-dialog.tsx';

interface ImageFieldProps {
  readonly label: string;
  readonly chooseLabel: string;
  readonly removeLabel: string;
  readonly descriptionLabel: string;
  /** What is shown; undefined without an image. */
  readonly url: string | undefined;
  readonly size: ImageSize;
  readonly description: string;
  readonly maxDescription: number;
  readonly onImage: (dataUri: string) => void;
  readonly onRemove: () => void;
  readonly onDescription: (text: string) => void;
}

/** An image of the profile: choose and crop it, describe it, remove it. */
export function ImageField(props: ImageFieldProps) {
  const { label, chooseLabel, removeLabel, url, size, onImage, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  const choose = async (file: File): Promise<void> => {
    problem.value = '';
    try {
      const result = await openCrop(await createImageBitmap(file), size);
      if (result !== undefined) onImage(result);
    } catch {
      problem.value = t('profileEditor.imageUnreadable');
    }
  };
  return (
    <fieldset class="plain image-field">
      <legend>{label}</legend>
      <div class={size.width === size.height ? 'image-preview square' : 'image-preview'}>
        {url !== undefined && <img src={url} alt="" />}
      </div>
      <div class="image-buttons">
        <button type="button" class="button quiet" onClick={() => input.current?.click()}>
          {chooseLabel}
        </button>
        {url !== undefined && (
          <button type="button" class="button quiet" aria-label={removeLabel} onClick={onRemove}>
            {t('profileEditor.remove')}
          </button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file !== undefined) void choose(file);
          }}
        />
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {url !== undefined && <Description {...props} />}
    </fieldset>
  );
}

function Description({ descriptionLabel, description, maxDescription, onDescription }: ImageFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{descriptionLabel}</label>
      <span class="hint">{t('profileEditor.descriptionHint')}</span>
      <input id={id} type="text" dir="auto" value={description} onInput={limitInput(maxDescription, onDescription)} />
    </div>
  );
}
