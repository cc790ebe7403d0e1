import type { Status } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { settings } from '../../session/settings.ts';
import { nameOf } from '../../ui/display-name.tsx';
import { toPlainText } from '../plain-text.ts';
import { translationOf } from '../translation/translations.ts';
import type { Phrase } from './speech.ts';

/** Returns what is said about a post: who wrote it, its warning or text, and what its media show, as it is shown. */
export function phrasesOf(status: Status): Phrase[] {
  const translation = translationOf(status.id).peek();
  const language = translation?.language ?? status.language ?? undefined;
  const own = (text: string): Phrase => ({ text, language: locale.peek() });
  const warning = translation?.spoiler_text ?? status.spoiler_text;
  const introduction = own(t('aloud.by', { name: nameOf(status.account) }));
  if (warning !== '' && !settings.peek().reading.expandWarnings) return [introduction, { text: warning, language }];
  const descriptions = status.media_attachments.flatMap(({ id, description }) => {
    const translated = translation?.media_attachments.find((one) => one.id === id)?.description ?? description;
    return translated ? [own(t('aloud.media')), { text: translated, language }] : [];
  });
  // Of a remote article, what its card shows.
  const { title, summary } = (translation === undefined ? status.fieldfare : undefined) ?? {};
  const html = title === undefined ? (translation?.content ?? status.content) : `<p>${summary}</p>`;
  return [
    introduction,
    ...(title == null ? [] : [{ text: title, language }]),
    ...(warning === '' ? [] : [{ text: warning, language }]),
    { text: toPlainText(html), language },
    ...(status.sensitive ? [] : descriptions),
  ];
}
