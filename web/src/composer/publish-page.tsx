import { useLocation } from 'preact-iso';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { openPath } from '../navigate.ts';
import { instance } from '../session/session.ts';
import { LoadingPosts } from '../ui/states.tsx';
import { Composer } from './composer.tsx';
import type { Visibility } from './composed.ts';
import type { ComposerStart } from './composer-props.ts';
import { slotOf } from './start-composing.ts';

const visibilities: readonly string[] = ['public', 'unlisted', 'private', 'direct'];

/** Returns what the parameters of /publish ask for. */
export function parseStart(query: Readonly<Record<string, string>>): ComposerStart {
  const { in_reply_to: inReplyTo, quote, text, visibility, edit, draft, redraft, shared } = query;
  return {
    inReplyTo,
    quote,
    text,
    edit,
    draft,
    redraft,
    shared,
    visibility: visibility !== undefined && visibilities.includes(visibility) ? (visibility as Visibility) : undefined,
  };
}

/** The composer as a page. */
export function PublishPage() {
  const { query } = useLocation();
  const start = parseStart(query);
  const title =
    start.edit !== undefined
      ? t('composer.editTitle')
      : start.inReplyTo === undefined
        ? t('nav.publish')
        : t('status.reply');
  return (
    <>
      <PageHeader
        title={title}
        hasBack
        actions={
          <a class="button quiet" href="/drafts">
            {t('drafts.title')}
          </a>
        }
      />
      {instance.value === undefined ? (
        <LoadingPosts count={1} />
      ) : (
        <Composer key={slotOf(start)} start={start} onDone={(path = '/') => openPath(path, true)} />
      )}
    </>
  );
}
