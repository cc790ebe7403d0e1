import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import type { FieldfareAdminCustomEmoji } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { Field } from '../form/field.tsx';
import '../form/form.css';
import { EmojiUploads, type EmojiUpload } from './emoji-uploads.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';
import './emojis.css';

type OnAdded = (emoji: FieldfareAdminCustomEmoji) => void;

/** Opens the dialog that adds emojis from one or many images. */
export const openUploadDialog = (onAdded: OnAdded): void =>
  openDialog((close) => <UploadDialog onAdded={onAdded} onClose={close} />);

function UploadDialog({ onAdded, onClose }: { readonly onAdded: OnAdded; readonly onClose: () => void }) {
  const uploads = useMemo(() => new EmojiUploads(), []);
  useEffect(() => () => uploads.close(), []);
  const category = useSignal('');
  const isVisible = useSignal(true);
  const isDropTarget = useSignal(false);
  const items = uploads.items.value;
  const [send, isSending] = useSingleRun(async () => {
    const number = await uploads.send({ category: category.value, isVisible: isVisible.value, onAdded });
    if (number > 0) showToast(t('serverEmojis.added', { number }));
    if (uploads.items.peek().length === 0) onClose();
    else showToast(t('serverEmojis.notAdded', { number: uploads.items.peek().length }), { kind: 'error' });
  });
  const leave = async (): Promise<void> => {
    const text = t('serverEmojis.discardText', { number: items.length });
    if (items.length > 0 && !(await confirm({ title: t('serverEmojis.add'), text, action: t('serverEmojis.discard') })))
      return;
    onClose();
  };
  return (
    <Dialog title={t('serverEmojis.add')} onClose={() => void leave()}>
      {/* The field for files does the same by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onDragOver={(event) => {
          if (event.dataTransfer?.types.includes('Files') !== true) return;
          event.preventDefault();
          isDropTarget.value = true;
        }}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget as Node | null)) isDropTarget.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isDropTarget.value = false;
          uploads.add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <FileChoice isDropTarget={isDropTarget.value} onChosen={(files) => uploads.add(files)} />
        {items.length > 0 && (
          <>
            <ul class="emoji-uploads" aria-label={t('serverEmojis.images')}>
              {items.map((item) => (
                <Upload key={item.id} item={item} uploads={uploads} />
              ))}
            </ul>
            <Field
              field={{ name: 'category', label: t('serverEmojis.category'), kind: 'text', maxLength: 100 }}
              value={category.value}
              problem={undefined}
              onChange={(value) => (category.value = String(value))}
            />
            <Field
              field={{ name: 'visible_in_picker', label: t('serverEmojis.visible'), kind: 'checkbox' }}
              value={isVisible.value}
              problem={undefined}
              onChange={(value) => (isVisible.value = value === true)}
            />
          </>
        )}
        <div class="buttons">
          <button type="submit" class="button" disabled={items.length === 0 || isSending}>
            {items.length === 0 ? t('serverEmojis.add') : t('serverEmojis.addNumber', { number: items.length })}
          </button>
          <button type="button" class="button quiet" onClick={() => void leave()}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FileChoiceProps {
  readonly isDropTarget: boolean;
  readonly onChosen: (files: readonly File[]) => void;
}

function FileChoice({ isDropTarget, onChosen }: FileChoiceProps) {
  const id = useId();
  return (
    <div class={isDropTarget ? 'drop-area over' : 'drop-area'}>
      <label htmlFor={id}>{t('serverEmojis.images')}</label>
      <input
        id={id}
        type="file"
        multiple
        accept="image/png,image/gif,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          onChosen([...(currentTarget.files ?? [])]);
          // The same file can be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
      <span id={`${id}-hint`} class="small soft">
        {t('serverEmojis.dropHint')}
      </span>
    </div>
  );
}

function Upload({ item, uploads }: { readonly item: EmojiUpload; readonly uploads: EmojiUploads }) {
  const { id, file, preview, shortcode } = item;
  const problemId = useId();
  const problem = uploads.problemOf(item);
  const isBusy = uploads.isSending.value;
  return (
    <li class={item.isSending ? 'sending' : ''} aria-busy={item.isSending}>
      <img
        class="emoji large"
        src={preview}
        alt=""
        onError={({ currentTarget }) => (currentTarget.style.visibility = 'hidden')}
      />
      <div class="upload-name">
        <input
          type="text"
          dir="ltr"
          autocapitalize="off"
          spellcheck={false}
          aria-label={t('serverEmojis.shortcodeOf', { name: file.name })}
          aria-describedby={problemId}
          aria-invalid={problem !== undefined}
          disabled={isBusy}
          value={shortcode}
          onInput={(event) => uploads.rename(id, event.currentTarget.value.trim())}
        />
        <span class="small soft file-name" dir="auto">
          {file.name}
        </span>
        <span id={problemId} class="small problem">
          {problem}
        </span>
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={t('serverEmojis.leaveOut', { name: file.name })}
        disabled={isBusy}
        onClick={() => uploads.remove(id)}
      >
        <Icon svg={x} />
      </button>
    </li>
  );
}
