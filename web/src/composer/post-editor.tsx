import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { t, formatCount } from '../i18n/translate.tsx';
import { instance } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import { attachFiles } from './attach-files.ts';
import type { ComposedPost } from './composed.ts';
import type { Composition } from './composition.ts';
import { countPost } from './count-post.ts';
import { MediaList } from './media-list.tsx';
import { PollEditor } from './poll-editor.tsx';
import { PostPreview } from './post-preview.tsx';
import { TextField } from './text-field.tsx';

interface PostEditorProps {
  readonly composition: Composition;
  readonly post: ComposedPost;
  readonly index: number;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onFocus: () => void;
  readonly onSubmit: () => void;
}

/** Returns how many characters are left in a post. */
export const charactersLeft = (post: ComposedPost): number =>
  (instance.value?.configuration.statuses.max_characters ?? 500) - countPost(post);

/** The fields of one post: content warning, text, files and poll. */
export function PostEditor({ composition, post, index, field, onFocus, onSubmit }: PostEditorProps) {
  const { posts, language, inReplyToId, contentType } = composition.content.value;
  const countId = useId();
  const previewId = useId();
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const isMarkdown = contentType === 'text/markdown';
  const change = (changes: Partial<ComposedPost>): void => composition.changePost(post.key, () => changes);
  const isThread = posts.length > 1;
  const firstPlaceholder = inReplyToId === undefined ? t('nav.writePrompt') : t('composer.replyPlaceholder');
  return (
    <section
      class="post-editor"
      data-post={post.key}
      aria-label={isThread ? t('composer.postNumber', { number: index + 1 }) : t('composer.post')}
    >
      {post.hasWarning && (
        <input
          type="text"
          class="warning-field"
          dir="auto"
          aria-label={t('composer.warning')}
          placeholder={t('composer.warningPlaceholder')}
          value={post.warning}
          onInput={(event) => change({ warning: event.currentTarget.value })}
        />
      )}
      <TextField
        field={field}
        label={isThread ? t('composer.textNumber', { number: index + 1 }) : t('composer.text')}
        placeholder={index > 0 ? t('composer.nextPlaceholder') : firstPlaceholder}
        text={post.text}
        language={language}
        describedBy={countId}
        onChange={(text) => change({ text })}
        onFocus={onFocus}
        onSubmit={onSubmit}
        onFiles={(files) => attachFiles(composition, post.key, files)}
      />
      <MediaList composition={composition} post={post} />
      {post.poll !== undefined && <PollEditor poll={post.poll} onChange={(poll) => change({ poll })} />}
      <p class="post-count">
        {isMarkdown && (
          <button
            type="button"
            class="chip"
            aria-expanded={isPreviewOpen}
            aria-controls={previewId}
            onClick={() => setPreviewOpen(!isPreviewOpen)}
          >
            {t('composer.preview')}
          </button>
        )}
        {isThread && (
          <button
            type="button"
            class="icon-button"
            aria-label={t('composer.removePost', { number: index + 1 })}
            title={t('composer.removePost', { number: index + 1 })}
            onClick={() => composition.removePost(post.key)}
          >
            <Icon svg={trash} />
          </button>
        )}
        <CharacterCount id={countId} left={charactersLeft(post)} />
      </p>
      {isMarkdown && isPreviewOpen && (
        <PostPreview
          id={previewId}
          label={isThread ? t('composer.previewNumber', { number: index + 1 }) : t('composer.preview')}
          post={post}
          contentType={contentType}
          language={language}
        />
      )}
    </section>
  );
}

function CharacterCount({ id, left }: { readonly id: string; readonly left: number }) {
  return (
    <span id={id} class={left < 0 ? 'over' : 'soft'}>
      <span aria-hidden="true">{formatCount(left)}</span>
      <span class="visually-hidden">
        {left < 0 ? t('composer.charactersOver', { count: -left }) : t('composer.charactersLeft', { count: left })}
      </span>
    </span>
  );
}
