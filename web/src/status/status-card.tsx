import repeat from '@phosphor-icons/core/regular/repeat.svg?raw';
import { useSignal } from '@preact/signals';
import type { Status } from '../api/entities.ts';
import { t, tx } from '../i18n/translate.tsx';
import { settings } from '../session/settings.ts';
import { statusOf } from '../store/statuses.ts';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName, EmojiText } from '../ui/display-name.tsx';
import { Icon } from '../ui/icon.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { prepareHtml } from './prepare-html.ts';
import { StatusActions } from './status-actions.tsx';
import { StatusMedia } from './status-media.tsx';
import { VisibilityIcon } from './visibility-icon.tsx';
import './status-card.css';

interface StatusCardProps {
  readonly id: string;
  /** The post that a page is about: larger, with its full time and counts. */
  readonly isMain?: boolean;
}

/** A post of the store, or what it boosts. Nothing once it is deleted. */
export function StatusCard({ id, isMain = false }: StatusCardProps) {
  const status = statusOf(id).value;
  if (status === undefined) return null;
  const shown = status.reblog === null ? status : (statusOf(status.reblog.id).value ?? status);
  return (
    <article class={isMain ? 'status main' : 'status'} aria-labelledby={`author-${id}`} data-status={shown.id}>
      {status.reblog !== null && (
        <p class="status-context">
          <Icon svg={repeat} />
          <span>
            {tx('status.boostedBy', {
              name: (
                <a href={`/@${status.account.acct}`}>
                  <DisplayName account={status.account} />
                </a>
              ),
            })}
          </span>
        </p>
      )}
      <Header status={shown} authorId={`author-${id}`} />
      <Body status={shown} />
      <StatusActions status={shown} />
    </article>
  );
}

function Header({ status, authorId }: { readonly status: Status; readonly authorId: string }) {
  const { account } = status;
  return (
    <header class="status-header">
      <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
        <Avatar account={account} />
      </a>
      <a class="status-author" id={authorId} href={`/@${account.acct}`}>
        <strong>
          <DisplayName account={account} />
        </strong>
        <span class="soft">@{account.acct}</span>
      </a>
      <a class="status-time soft" href={`/@${account.acct}/${status.id}`}>
        <VisibilityIcon visibility={status.visibility} />
        <RelativeTime time={status.created_at} />
        {status.edited_at !== null && <span title={t('status.edited')}>*</span>}
      </a>
    </header>
  );
}

/** The text and attachments of a post, behind its content warning. */
function Body({ status }: { readonly status: Status }) {
  const isOpen = useSignal(settings.value.reading.expandWarnings);
  const { spoiler_text: warning, emojis } = status;
  if (warning.trim() === '') return <Content status={status} />;
  return (
    <>
      <p class="status-warning" dir="auto">
        <EmojiText text={warning} emojis={emojis} />{' '}
        <button
          type="button"
          class="button quiet"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {isOpen.value ? t('status.showLess') : t('status.showMore')}
        </button>
      </p>
      {isOpen.value && <Content status={status} />}
    </>
  );
}

function Content({ status }: { readonly status: Status }) {
  const { content, emojis, mentions, tags, language } = status;
  return (
    <>
      {content !== '' && (
        <div
          class="status-content"
          dir="auto"
          lang={language ?? undefined}
          // Sanitized by the server.
          dangerouslySetInnerHTML={{ __html: prepareHtml(content, { emojis, mentions, tags }) }}
        />
      )}
      {status.media_attachments.length > 0 && <StatusMedia status={status} />}
    </>
  );
}
