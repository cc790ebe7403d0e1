import { t } from '../i18n/translate.tsx';
import { PlainPost, toPlainText } from '../status/index.ts';
import { statusOf } from '../store/statuses.ts';

/** The beginning of a post as a link to it: its content warning if it has one, else its text. */
export function Excerpt({ statusId, link }: { readonly statusId: string; readonly link: string }) {
  const status = statusOf(statusId).value;
  if (status === undefined) return <p class="notification-details soft">{t('notifications.deletedPost')}</p>;
  const { spoiler_text: warning, content, emojis, media_attachments: media, poll, language } = status;
  const text = warning === '' ? toPlainText(content) : warning;
  return (
    <a class="excerpt" href={link}>
      {text !== '' && (
        <span dir="auto" lang={language ?? undefined}>
          <PlainPost text={text} emojis={emojis} />
        </span>
      )}
      {media.length > 0 && <span class="small">{t('notifications.attachments', { count: media.length })}</span>}
      {poll !== null && <span class="small">{t('notifications.hasPoll')}</span>}
    </a>
  );
}
