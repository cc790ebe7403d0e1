import type { Archive, ExportCounts, Import, PostImport, RelationshipSeveranceEvent } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { Section } from '../controls.tsx';
import { Loaded } from '../loaded.tsx';
import { PreferenceFrame } from '../preference-frame.tsx';
import { Archives } from './archives.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportItem } from './import-item.tsx';
import { PostImportForm } from './post-import-form.tsx';
import { PostImportItem } from './post-import-item.tsx';
import './data.css';

/** Exports, an archive and imports of what the account holds. */
export function DataPage() {
  return (
    <PreferenceFrame title={t('preferences.data')} intro={t('yourData.intro')}>
      <Section title={t('yourData.exports')} hint={t('yourData.exportsHint')}>
        <Loaded<ExportCounts> path="/api/v1/fieldfare/exports">{(counts) => <Exports counts={counts} />}</Loaded>
      </Section>
      <Section title={t('yourData.archive')} hint={t('yourData.archiveHint')}>
        <Loaded<readonly Archive[]> path="/api/v1/fieldfare/archives">
          {(archives, set) => <Archives archives={archives} onChange={set} />}
        </Loaded>
      </Section>
      <Section title={t('yourData.imports')} hint={t('yourData.importsHint')}>
        <Loaded<readonly Import[]> path="/api/v1/fieldfare/imports">
          {(imports, set) => (
            <>
              <ImportForm onChecked={(added) => set([added, ...imports.filter((one) => !isReplaced(one, added))])} />
              <ul class="row-list imports" aria-label={t('yourData.imports')}>
                {imports.map((one) => (
                  <ImportItem
                    key={one.id}
                    imported={one}
                    onChange={(changed) => set(imports.map((other) => (other.id === changed.id ? changed : other)))}
                    onDelete={() => set(imports.filter((other) => other.id !== one.id))}
                  />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </Section>
      <Section title={t('postImports.title')} hint={t('postImports.hint')}>
        <Loaded<readonly PostImport[]> path="/api/v1/fieldfare/post_imports">
          {(imports, set) => <PostImports imports={imports} onChange={set} />}
        </Loaded>
      </Section>
      <Loaded<readonly RelationshipSeveranceEvent[]> path="/api/v1/fieldfare/severed_relationships">
        {(events) => (events.length === 0 ? null : <LostConnections events={events} />)}
      </Loaded>
    </PreferenceFrame>
  );
}

interface PostImportsProps {
  readonly imports: readonly PostImport[];
  readonly onChange: (imports: readonly PostImport[]) => void;
}

/** Imports of posts, and a form for the next one unless one is at work. */
function PostImports({ imports, onChange }: PostImportsProps) {
  const isAtWork = imports.some(({ state }) => state !== 'finished' && state !== 'failed');
  // An import that is undone disappears.
  useRefresh(
    '/api/v1/fieldfare/post_imports',
    imports.some(({ state }) => state === 'undoing'),
    onChange,
  );
  return (
    <>
      {!isAtWork && <PostImportForm onSent={(added) => onChange([added, ...imports])} />}
      <ul class="row-list imports" aria-label={t('postImports.title')}>
        {imports.map((one) => (
          <PostImportItem
            key={one.id}
            imported={one}
            onChange={(changed) => onChange(imports.map((other) => (other.id === changed.id ? changed : other)))}
          />
        ))}
      </ul>
    </>
  );
}

/** The server keeps one unconfirmed import of each type. */
const isReplaced = (one: Import, added: Import): boolean => one.type === added.type && one.state === 'unconfirmed';

const exportTypes = ['following', 'followers', 'lists', 'blocks', 'mutes', 'domain_blocks', 'bookmarks'] as const;

function Exports({ counts }: { readonly counts: ExportCounts }) {
  return (
    <ul class="row-list">
      {exportTypes.map((type) => (
        <li key={type}>
          <span class="row-name">{t(`yourData.${type}`)}</span>
          <span class="soft">{formatCount(counts[type])}</span>
          <a
            class="button quiet"
            href={`/api/v1/fieldfare/exports/${type}`}
            download
            aria-label={t('yourData.downloadOf', { name: t(`yourData.${type}`) })}
          >
            {t('yourData.download')}
          </a>
        </li>
      ))}
      <li>
        <span class="row-name">{t('yourData.filters')}</span>
        <a href="/preferences/filters">{t('yourData.filtersLink')}</a>
      </li>
    </ul>
  );
}

function LostConnections({ events }: { readonly events: readonly RelationshipSeveranceEvent[] }) {
  return (
    <Section title={t('yourData.lost')} hint={t('yourData.lostHint')}>
      <ul class="row-list">
        {events.map(({ id, target_name: name, following_count: following, followers_count: followers, ...event }) => (
          <li key={id}>
            <span class="row-name">
              <bdi>{name}</bdi>{' '}
              <span class="soft small">
                <RelativeTime time={event.created_at} />
              </span>
            </span>
            {!event.purged && (
              <>
                <a href={`/api/v1/fieldfare/severed_relationships/${id}/following`} download>
                  {t('yourData.lostFollowing', { count: following })}
                </a>
                <a href={`/api/v1/fieldfare/severed_relationships/${id}/followers`} download>
                  {t('yourData.lostFollowers', { count: followers })}
                </a>
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
