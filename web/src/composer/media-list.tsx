import dots from '@phosphor-icons/core/regular/dots-three.svg?raw';
import file from '@phosphor-icons/core/regular/file.svg?raw';
import { useSignal } from '@preact/signals';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError } from '../ui/toasts.tsx';
import { previewOf, removeMedia, retryUpload } from './attach-files.ts';
import type { ComposedMedia, ComposedPost, MediaChanges } from './composed.ts';
import type { Composition } from './composition.ts';
import { MediaDialog } from './media-dialog.tsx';
import './media-list.css';
import '../ui/choices.css';

interface MediaListProps {
  readonly composition: Composition;
  readonly post: ComposedPost;
}

/** The files of a post, in order: described, moved, removed. */
export function MediaList({ composition, post }: MediaListProps) {
  const dragged = useSignal<string | undefined>(undefined);
  const moved = useSignal('');
  const { media } = post;
  const move = (key: string, to: number): void => {
    const item = media.find((one) => one.key === key);
    if (item === undefined || to < 0 || to >= media.length) return;
    composition.changePost(post.key, () => ({ media: media.filter((one) => one !== item).toSpliced(to, 0, item) }));
    const name = nameOf(item, media.indexOf(item));
    moved.value = t('upload.moved', { name, number: to + 1, count: media.length });
  };
  if (media.length === 0) return null;
  return (
    <>
      <div class="visually-hidden" role="status">
        {moved.value}
      </div>
      <ol class="media-list" aria-label={t('upload.files')}>
        {media.map((item, index) => (
          // They are also moved by the menu and by Alt with the arrow keys.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={item.key}
            draggable
            onDragStart={({ dataTransfer }) => {
              dragged.value = item.key;
              // Firefox drags nothing without data. Text fields ignore this type.
              dataTransfer?.setData('application/x-fieldfare-file', item.key);
            }}
            onDragEnd={() => (dragged.value = undefined)}
            onDragOver={(event) => {
              if (dragged.value !== undefined) event.preventDefault();
            }}
            onDrop={(event) => {
              if (dragged.value === undefined) return;
              event.preventDefault();
              event.stopPropagation();
              move(dragged.value, index);
            }}
          >
            <MediaItem
              composition={composition}
              post={post}
              media={item}
              index={index}
              onMove={(to) => move(item.key, to)}
            />
          </li>
        ))}
      </ol>
      <label class="choice">
        <input
          type="checkbox"
          checked={post.isSensitive}
          onChange={(event) => {
            const isSensitive = event.currentTarget.checked;
            composition.changePost(post.key, () => ({ isSensitive }));
          }}
        />
        <span>{t('upload.sensitive')}</span>
      </label>
    </>
  );
}

interface MediaItemProps extends MediaListProps {
  readonly media: ComposedMedia;
  readonly index: number;
  readonly onMove: (to: number) => void;
}

function MediaItem({ composition, post, media, index, onMove }: MediaItemProps) {
  const { key, state, problem, description, earlierDescription, focus } = media;
  const name = nameOf(media, index);
  const describe = (): void => openMediaDialog(composition, media);
  const preview = previewOf(media);
  return (
    <>
      <button
        type="button"
        class="media-preview"
        aria-label={t('upload.edit', { name })}
        onClick={describe}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
          event.preventDefault();
          const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
          onMove(index + (event.key === forward ? 1 : -1));
        }}
      >
        {preview === undefined ? <Icon svg={file} /> : <img src={preview} alt="" draggable={false} />}
      </button>
      <span class={description === '' ? 'alt-mark missing' : 'alt-mark'}>
        {description === '' ? t('upload.noDescription') : t('upload.described')}
      </span>
      <div class="media-tools">
        <Menu
          label={t('upload.options', { name })}
          button={<Icon svg={dots} />}
          items={[
            { label: description === '' ? t('upload.addDescription') : t('upload.describe'), onSelect: describe },
            index > 0 ? { label: t('upload.moveEarlier'), onSelect: () => onMove(index - 1) } : undefined,
            index < post.media.length - 1
              ? { label: t('upload.moveLater'), onSelect: () => onMove(index + 1) }
              : undefined,
            'separator',
            { label: t('upload.remove'), isDangerous: true, onSelect: () => removeMedia(composition, post.key, key) },
          ]}
        />
      </div>
      {description === '' && earlierDescription !== undefined && (
        <button
          type="button"
          class="link small"
          title={earlierDescription}
          onClick={() => storeChanges(composition, key, { description: earlierDescription, focus })}
        >
          {t('upload.useEarlier')}
        </button>
      )}
      {state === 'uploading' && (
        <progress aria-label={t('upload.uploading', { name })} value={media.progress} max={1} />
      )}
      {state === 'processing' && <p class="media-state small soft">{t('upload.processing')}</p>}
      {state === 'failed' && (
        <p class="media-state small problem" role="alert">
          {problem}{' '}
          <button type="button" class="link" onClick={() => retryUpload(composition, media)}>
            {t('app.tryAgain')}
          </button>
        </p>
      )}
    </>
  );
}

const nameOf = ({ description, name }: ComposedMedia, index: number): string =>
  description || name || t('upload.number', { number: index + 1 });

/** Opens the dialog for the description of a file. */
export function openMediaDialog(composition: Composition, media: ComposedMedia): void {
  openDialog((close) => (
    <MediaDialog media={media} onClose={close} onSave={(changes) => storeChanges(composition, media.key, changes)} />
  ));
}

/** Changes what is known about a file, and stores it at once unless it belongs to the edited post. */
function storeChanges(composition: Composition, mediaKey: string, changes: MediaChanges): void {
  composition.changeMedia(mediaKey, () => ({ ...changes, isChanged: true }));
  const changed = composition.content
    .peek()
    .posts.flatMap((post) => post.media)
    .find(({ key }) => key === mediaKey);
  if (changed === undefined || changed.isPosted) return;
  composition.storeMediaChange(changed).catch((error: unknown) => showError(error));
}
