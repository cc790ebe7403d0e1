import { useSignal } from '@preact/signals';
import type { MatchedFilter, MediaAttachment, Status, Translation } from '../api/entities.ts';
import { openDescription } from '../composer/index.ts';
import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { settings } from '../session/settings.ts';
import { EmojiText } from '../ui/display-name.tsx';
import { ArticleLead } from './article/article-lead.tsx';
import type { FilterContext } from './filters.ts';
import { LinkCard } from './link/link-card.tsx';
import { StatusMedia } from './media/status-media.tsx';
import { Poll } from './poll.tsx';
import { prepareHtml } from '../ui/prepare-html.ts';
import { QuotedPost } from './quoted-post.tsx';
import { Reactions } from './reactions.tsx';
import { isTranslatable, translationOf } from './translation/translations.ts';
import { TranslateButton, TranslationNote } from './translation/translation-note.tsx';

interface StatusBodyProps {
  readonly status: Status;
  /** Where the post is shown, which decides the filters that apply to what it quotes. */
  readonly context: FilterContext;
  /** Filters that cover its media. */
  readonly blurredBy?: readonly MatchedFilter[];
  readonly isMain?: boolean;
  /** Whether it is quoted by another post: quotes of it are only links. */
  readonly isQuoted?: boolean;
}

/** The text and attachments of a post, behind its content warning, in translation if the reader asked for it. */
export function StatusBody(props: StatusBodyProps) {
  const { status } = props;
  const isOpen = useSignal(settings.value.reading.expandWarnings);
  const translation = translationOf(status.id).value;
  const warning = translation?.spoiler_text ?? status.spoiler_text;
  if (warning.trim() === '') return <Content {...props} translation={translation} />;
  return (
    <>
      <p class="status-warning" dir="auto">
        <span>
          <EmojiText text={warning} emojis={status.emojis} />
        </span>
        <button
          type="button"
          class="button quiet"
          data-key="x"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {isOpen.value ? t('status.showLess') : t('status.showMore')}
        </button>
      </p>
      {isOpen.value && <Content {...props} translation={translation} />}
    </>
  );
}

interface ContentProps extends StatusBodyProps {
  readonly translation: Translation | undefined;
}

function Content(props: ContentProps) {
  const { status, isMain = false, translation, blurredBy = [] } = props;
  const { fieldfare: article, media_attachments: media } = status;
  const html = useSignal('');
  const { media: shown } = settings.value.reading;
  const hasImages = blurredBy.length === 0 && (shown === 'show' || (shown === 'default' && !status.sensitive));
  // The images of an open article are in its text.
  const isInText = ({ remote_url: url }: MediaAttachment): boolean =>
    hasImages && url !== null && html.value.includes(`href="${url.replaceAll('&', '&amp;')}" class="u-photo"`);
  return (
    <>
      {article !== undefined && translation === undefined ? (
        <ArticleLead status={status} article={article} html={html} hasImages={hasImages} />
      ) : (
        <StatusText status={status} translation={translation} />
      )}
      {translation !== undefined && <TranslationNote id={status.id} translation={translation} />}
      {isMain && translation === undefined && isTranslatable(status) && <TranslateButton id={status.id} />}
      <Attachments {...props} media={html.value === '' ? media : media.filter((file) => !isInText(file))} />
    </>
  );
}

interface StatusTextProps {
  readonly status: Status;
  readonly translation?: Translation | undefined;
}

/** The text of a post. */
export function StatusText({ status, translation }: StatusTextProps) {
  const { emojis, mentions, tags, quote } = status;
  const content = translation?.content ?? status.content;
  if (content === '') return null;
  return (
    <div
      class={quote === null ? 'status-content' : 'status-content has-quote'}
      dir="auto"
      lang={(translation?.language ?? status.language) || undefined}
      // Sanitized by the server.
      dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis, mentions, tags }) }}
    />
  );
}

function Attachments(props: ContentProps & { readonly media: readonly MediaAttachment[] }) {
  const { status, context, blurredBy = [], isQuoted = false, translation, media } = props;
  const { quote, poll, card } = status;
  const hasCard = card !== null && status.fieldfare === undefined && media.length === 0 && quote === null && !isQuoted;
  const isDescribable = status.account.id === me.value.id && !isQuoted && status.held_for_review !== true;
  return (
    <>
      {poll !== null && <Poll statusId={status.id} poll={poll} translation={translation?.poll ?? undefined} />}
      {media.length > 0 && (
        <StatusMedia
          status={media === status.media_attachments ? status : { ...status, media_attachments: [...media] }}
          blurredBy={blurredBy}
          onDescribe={isDescribable ? (attachment) => void openDescription(status.id, attachment) : undefined}
          translation={translation}
        />
      )}
      {quote !== null && (
        <QuotedPost
          quote={quote}
          context={context}
          isNested={isQuoted}
          renderBody={(quoted, blurs) => <StatusBody status={quoted} context={context} blurredBy={blurs} isQuoted />}
        />
      )}
      {hasCard && <LinkCard card={card} />}
      {!isQuoted && <Reactions status={status} />}
    </>
  );
}
