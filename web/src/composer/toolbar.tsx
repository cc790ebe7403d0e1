import chart from '@phosphor-icons/core/regular/chart-bar-horizontal.svg?raw';
import image from '@phosphor-icons/core/regular/image.svg?raw';
import listPlus from '@phosphor-icons/core/regular/list-plus.svg?raw';
import warning from '@phosphor-icons/core/regular/warning.svg?raw';
import { useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { attachFiles } from './attach-files.ts';
import type { ComposedPost } from './composed.ts';
import type { Composition } from './composition.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { MoreOptions } from './more-options.tsx';
import { usualDuration } from './posted-poll.ts';

interface ToolbarProps {
  readonly composition: Composition;
  /** The post that has or had the focus. */
  readonly post: ComposedPost;
  readonly onInsert: (text: string) => void;
  readonly onAddPost: () => void;
}

const maxThreadPosts = 20;

/** The buttons that add something to a post. */
export function Toolbar({ composition, post, onInsert, onAddPost }: ToolbarProps) {
  const { posts, editedId } = composition.content.value;
  const limits = instance.value?.configuration;
  const change = (changes: Partial<ComposedPost>): void => composition.changePost(post.key, () => changes);
  const isFull = post.media.length >= (limits?.statuses.max_media_attachments ?? 4);
  const emptyPoll = { options: ['', ''], isMultiple: false, hidesTotals: false, duration: usualDuration };
  return (
    <div class="composer-tools" role="group" aria-label={t('composer.tools')}>
      <FileButton
        isDisabled={isFull || post.poll !== undefined}
        types={limits?.media_attachments.supported_mime_types ?? []}
        onFiles={(files) => attachFiles(composition, post.key, files)}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={t('composer.poll')}
        title={t('composer.poll')}
        aria-pressed={post.poll !== undefined}
        disabled={post.media.length > 0}
        onClick={() => change({ poll: post.poll === undefined ? emptyPoll : undefined })}
      >
        <Icon svg={chart} isDirectional />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('composer.warning')}
        title={t('composer.warning')}
        aria-pressed={post.hasWarning}
        onClick={() => change({ hasWarning: !post.hasWarning })}
      >
        <Icon svg={warning} />
      </button>
      <EmojiPicker onPick={onInsert} />
      {editedId === undefined && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('composer.addPost')}
          title={t('composer.addPost')}
          disabled={posts.length >= maxThreadPosts}
          onClick={onAddPost}
        >
          <Icon svg={listPlus} isDirectional />
        </button>
      )}
      <MoreOptions composition={composition} />
    </div>
  );
}

interface FileButtonProps {
  readonly isDisabled: boolean;
  readonly types: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
}

function FileButton({ isDisabled, types, onFiles }: FileButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={t('upload.add')}
        title={t('upload.add')}
        disabled={isDisabled}
        onClick={() => field.current?.click()}
      >
        <Icon svg={image} />
      </button>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        aria-label={t('upload.choose')}
        accept={types.join(',')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
