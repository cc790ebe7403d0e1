import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { StatusPreview } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { prepareHtml } from '../ui/prepare-html.ts';
import { EmojiText } from '../ui/display-name.tsx';
import { describeError } from '../ui/toasts.tsx';
import type { ComposedPost, ContentType } from './composed.ts';
import '../ui/status-content.css';

interface PostPreviewProps {
  readonly id: string;
  readonly label: string;
  readonly post: ComposedPost;
  readonly contentType: ContentType;
  readonly language: string;
}

const pauseMs = 800;

/** How the server will show a post. It follows the text after each pause in typing. */
export function PostPreview({ id, label, post, contentType, language }: PostPreviewProps) {
  const preview = useSignal<StatusPreview | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const attempt = useSignal(0);
  const text = post.text.trim();
  const warning = post.hasWarning ? post.warning : '';
  useEffect(() => {
    if (text === '') return undefined;
    const outdated = new AbortController();
    const load = async (): Promise<void> => {
      try {
        preview.value = await loadPreview({ text, warning, contentType }, outdated.signal);
        problem.value = undefined;
      } catch (error) {
        if (!outdated.signal.aborted) problem.value = describeError(error);
      }
    };
    const timer = setTimeout(() => void load(), preview.peek() === undefined ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [text, warning, contentType, attempt.value]);
  return (
    <section id={id} class="composer-preview" aria-label={label} aria-busy={text !== '' && preview.value === undefined}>
      {problem.value !== undefined ? (
        <p role="alert">
          {problem.value}{' '}
          <button type="button" class="link" onClick={() => (attempt.value += 1)}>
            {t('app.tryAgain')}
          </button>
        </p>
      ) : text === '' ? (
        <p class="soft">{t('composer.previewEmpty')}</p>
      ) : (
        preview.value !== undefined && <Shown preview={preview.value} language={language} />
      )}
    </section>
  );
}

function Shown({ preview, language }: { readonly preview: StatusPreview; readonly language: string }) {
  const { content, spoiler_text: warning, emojis, mentions, tags } = preview;
  return (
    <>
      {warning !== '' && (
        <p class="preview-warning" dir="auto">
          <EmojiText text={warning} emojis={emojis} />
        </p>
      )}
      <div
        class="status-content"
        dir="auto"
        lang={language || undefined}
        // Sanitized by the server.
        dangerouslySetInnerHTML={{ __html: openInNewTabs(prepareHtml(content, { emojis, mentions, tags })) }}
      />
    </>
  );
}

function loadPreview(
  { text, warning, contentType }: { text: string; warning: string; contentType: ContentType },
  signal: AbortSignal,
): Promise<StatusPreview> {
  const body = { status: text, spoiler_text: warning, content_type: contentType };
  return request<StatusPreview>('POST', '/api/v1/fieldfare/statuses/preview', { body, signal });
}

/** A link that is tried out must not close the composer. */
function openInNewTabs(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const link of template.content.querySelectorAll('a')) link.target = '_blank';
  return template.innerHTML;
}
