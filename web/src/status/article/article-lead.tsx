import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { Status } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { prepareHtml } from '../../ui/prepare-html.ts';
import { showError } from '../../ui/toasts.tsx';
import type { ArticleText as LoadedText } from './article-text.tsx';
import './article-lead.css';

export type Article = NonNullable<Status['fieldfare']>;

interface ArticleLeadProps {
  readonly status: Status;
  readonly article: Article;
  /** The HTML of the article while it is shown, else ''. */
  readonly html: Signal<string>;
  /** Whether its images are shown in the text. */
  readonly hasImages: boolean;
}

/** The title and summary of a remote article, event or file, and its whole text once the reader asks for it. */
export function ArticleLead({ status, article, html, hasImages }: ArticleLeadProps) {
  const { title, summary, event } = article;
  const Text = useSignal<{ readonly Component: ComponentType<Parameters<typeof LoadedText>[0]> } | undefined>(
    undefined,
  );
  const toggle = async (): Promise<void> => {
    try {
      if (Text.peek() === undefined) Text.value = { Component: (await import('./article-text.tsx')).ArticleText };
      else [Text.value, html.value] = [undefined, ''];
    } catch (error) {
      showError(error, () => void toggle());
    }
  };
  return (
    <div class="article-lead" dir="auto" lang={status.language ?? undefined}>
      <p class="article-title">
        <a href={status.url ?? status.uri} target="_blank" rel="nofollow noopener noreferrer">
          {title ?? status.url ?? status.uri}
        </a>
      </p>
      {event !== null && <EventFacts event={event} />}
      {summary !== '' && (
        <div
          class="status-content"
          // Sanitized by the server.
          dangerouslySetInnerHTML={{ __html: prepareHtml(summary, status) }}
        />
      )}
      {Text.value !== undefined && <Text.value.Component status={status} html={html} hasImages={hasImages} />}
      {article.article_length > 0 && (
        <button
          type="button"
          class="button quiet"
          data-key="x"
          aria-expanded={Text.value !== undefined}
          onClick={() => void toggle()}
        >
          {Text.value === undefined ? t('status.readOn') : t('status.showLess')}
        </button>
      )}
    </div>
  );
}

function EventFacts({ event }: { readonly event: NonNullable<Article['event']> }) {
  const { starts_at: startsAt, ends_at: endsAt, place, cancelled } = event;
  return (
    <p class="article-event">
      {cancelled && <strong>{t('status.cancelled')}</strong>}
      {startsAt !== null && <time dateTime={startsAt}>{formatRange(startsAt, endsAt)}</time>}
      {place !== null && <span dir="auto">{place}</span>}
    </p>
  );
}

/** Returns the time of an event where the reader is, to the minute. */
function formatRange(startsAt: string, endsAt: string | null): string {
  const format = new Intl.DateTimeFormat(locale.value, { dateStyle: 'full', timeStyle: 'short' });
  const [start, end] = [new Date(startsAt), new Date(endsAt ?? startsAt)];
  return end > start ? format.formatRange(start, end) : format.format(start);
}
