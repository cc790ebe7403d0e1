import type { StatusEdit } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { diffWords } from './word-diff.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import './history-page.css';

/** The versions of a post, newest first, each with what it changed: /@name/id/history. */
export function HistoryPage({ id = '' }: { readonly id?: string }) {
  const history = useLoaded<readonly StatusEdit[]>(`/api/v1/statuses/${id}/history`);
  const shown = history.value;
  return (
    <>
      <PageHeader title={t('history.title')} hasBack />
      {shown === undefined ? (
        <NotLoaded of={history} count={2} />
      ) : (
        <ol class="versions" reversed>
          {shown
            .map((version, index) => <Version key={index} version={version} before={shown[index - 1]} />)
            .toReversed()}
        </ol>
      )}
    </>
  );
}

interface VersionProps {
  readonly version: StatusEdit;
  readonly before: StatusEdit | undefined;
}

function Version({ version, before }: VersionProps) {
  const time = new Date(version.created_at).toLocaleString(locale.value, { dateStyle: 'long', timeStyle: 'medium' });
  return (
    <li class="version">
      <h2>{before === undefined ? t('history.created', { time }) : t('history.edited', { time })}</h2>
      <Difference label={t('history.warning')} before={before?.spoiler_text} after={version.spoiler_text} />
      <Difference before={before && textOf(before.content)} after={textOf(version.content)} />
      <Difference label={t('history.poll')} before={before && pollOf(before)} after={pollOf(version)} />
      <Difference label={t('history.media')} before={before && mediaOf(before)} after={mediaOf(version)} />
      {before !== undefined && before.sensitive !== version.sensitive && (
        <p class="soft">{version.sensitive ? t('history.markedSensitive') : t('history.unmarkedSensitive')}</p>
      )}
    </li>
  );
}

interface DifferenceProps {
  readonly label?: string;
  /** Undefined for the first version, which is shown as it is. */
  readonly before: string | undefined;
  readonly after: string;
}

function Difference({ label, before, after }: DifferenceProps) {
  const pieces = diffWords(before ?? after, after);
  if (pieces.length === 0) return null;
  return (
    <p class="difference" dir="auto">
      {label !== undefined && <span class="soft small">{label}</span>}
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'added') return <ins key={index}>{text}</ins>;
        return kind === 'removed' ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
      })}
    </p>
  );
}

/** Returns the text of a post's HTML, with a line for each line of the post. */
function textOf(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html.replaceAll(/<br\s*\/?>/g, '\n').replaceAll(/<\/(?:p|li|blockquote|pre|h\d)>/g, '\n\n$&');
  return template.content.textContent.trim();
}

const pollOf = ({ poll }: StatusEdit): string => (poll?.options ?? []).map(({ title }) => `• ${title}`).join('\n');

const mediaOf = ({ media_attachments: media }: StatusEdit): string =>
  media.map(({ type, description }) => `• ${description ?? nameOf(type)}`).join('\n');

function nameOf(type: StatusEdit['media_attachments'][number]['type']): string {
  switch (type) {
    case 'image':
      return t('history.image');
    case 'gifv':
    case 'video':
      return t('media.video');
    case 'audio':
      return t('media.audio');
    case 'unknown':
      return t('media.file');
  }
}
