import type { ComponentChildren } from 'preact';
import type { Status } from '../api/entities.ts';
import { locale, t } from '../i18n/translate.tsx';
import { pathOf } from './paths.ts';
import { describeAudience, VisibilityIcon } from './visibility-icon.tsx';

/** The full time, visibility, app and counts of the post that a page is about. */
export function StatusDetails({ status }: { readonly status: Status }) {
  const { application, edited_at: editedAt, imported_from: importedFrom, visibility } = status;
  const path = pathOf(status);
  const pieces: ComponentChildren[] = [
    <a
      key="time"
      href={status.url ?? path}
      {...((status.account.acct.includes('@') || importedFrom !== undefined) && external)}
    >
      <time dateTime={status.created_at}>{formatFully(status.created_at)}</time>
    </a>,
    <span key="visibility" class="status-visibility">
      <VisibilityIcon visibility={visibility} isLocalOnly={status.local_only} />{' '}
      <span aria-hidden="true">{describeAudience(visibility, { isLocalOnly: status.local_only })}</span>
    </span>,
  ];
  if (importedFrom !== undefined)
    pieces.push(<span key="imported">{t('status.importedFrom', { host: importedFrom })}</span>);
  if (application != null) pieces.push(<span key="app">{application.name}</span>);
  if (editedAt !== null)
    pieces.push(
      <a key="edited" href={`${path}/history`}>
        {t('status.editedAt', { time: formatFully(editedAt) })}
      </a>,
    );
  return (
    <div class="status-details soft">
      <p>{pieces}</p>
      <Counts status={status} path={path} />
    </div>
  );
}

const external = { target: '_blank', rel: 'noopener' } as const;

const formatFully = (time: string): string =>
  new Date(time).toLocaleString(locale.value, { dateStyle: 'long', timeStyle: 'short' });

function Counts({ status, path }: { readonly status: Status; readonly path: string }) {
  const { reblogs_count: reblogs, favourites_count: favourites, quotes_count: quotes } = status;
  if (reblogs + favourites + quotes === 0) return null;
  return (
    <p class="status-counts">
      {reblogs > 0 && <a href={`${path}/reblogs`}>{t('status.boosts', { count: reblogs })}</a>}
      {quotes > 0 && <a href={`${path}/quotes`}>{t('status.quotes', { count: quotes })}</a>}
      {favourites > 0 && <a href={`${path}/favourites`}>{t('status.favourites', { count: favourites })}</a>}
    </p>
  );
}
