import { useRef } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Filter, FilterExport } from '../../api/entities.ts';
import { t, tx } from '../../i18n/translate.tsx';
import { isRemoved } from '../../ui/remove-later.ts';
import { EmptyState } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { Section } from '../controls.tsx';
import { Loaded } from '../loaded.tsx';
import { PreferenceFrame } from '../preference-frame.tsx';

/** The filters of the account, with import and export. */
export function FiltersPage() {
  return (
    <PreferenceFrame
      title={t('preferences.filters')}
      intro={t('filterSettings.intro')}
      actions={
        <a class="button" href="/preferences/filters/new">
          {t('filterSettings.new')}
        </a>
      }
    >
      <Loaded<readonly Filter[]> path="/api/v2/filters">
        {(loaded, set) => {
          const filters = loaded.filter(({ id }) => !isRemoved(`/api/v2/filters/${id}`));
          return (
            <>
              {filters.length === 0 ? (
                <EmptyState title={t('filterSettings.none')}>
                  <p>{t('filterSettings.noneHint')}</p>
                </EmptyState>
              ) : (
                <ul class="row-list filters">
                  {filters.map((filter) => (
                    <Row key={filter.id} filter={filter} />
                  ))}
                </ul>
              )}
              <Files onImport={async () => set(await request<readonly Filter[]>('GET', '/api/v2/filters'))} />
            </>
          );
        }}
      </Loaded>
    </PreferenceFrame>
  );
}

function Row({ filter }: { readonly filter: Filter }) {
  const { id, title, context, keywords, statuses, filter_action: action, expires_at: expiresAt } = filter;
  const isExpired = hasPassed(expiresAt);
  return (
    <li>
      <a class="filter-link" href={`/preferences/filters/${id}`}>
        <strong dir="auto">{title}</strong>
        <small class="soft" dir="auto">
          {keywords.map(({ keyword }) => keyword).join(', ')}
        </small>
        <small class="soft">
          {t(`filterSettings.short_${action}`)} · {context.map((one) => t(`filterSettings.context_${one}`)).join(', ')}
          {statuses.length > 0 && <> · {t('filterSettings.posts', { count: statuses.length })}</>}
        </small>
        {expiresAt !== null && (
          <small class={isExpired ? 'filter-expired' : 'soft'}>
            {isExpired
              ? t('filterSettings.expired')
              : tx('filterSettings.expires', { time: <RelativeTime time={expiresAt} /> })}
          </small>
        )}
      </a>
    </li>
  );
}

const hasPassed = (time: string | null): boolean => time !== null && Date.parse(time) < Date.now();

/** Import and export as a file. */
function Files({ onImport }: { readonly onImport: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File): Promise<void> => {
    try {
      const body = parseExport(await file.text());
      if (body === undefined) return showToast(t('filterSettings.badFile', { name: file.name }), { kind: 'error' });
      await request('POST', '/api/v1/fieldfare/filters/import', { body });
      await onImport();
      showToast(t('filterSettings.imported', { count: body.filters.length }));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Section title={t('filterSettings.files')} hint={t('filterSettings.filesHint')}>
      <p class="chips">
        <button type="button" class="button quiet" onClick={() => void exportFile().catch(showError)}>
          {t('filterSettings.export')}
        </button>
        <button type="button" class="button quiet" onClick={() => input.current?.click()}>
          {t('filterSettings.import')}
        </button>
      </p>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept="application/json,.json"
        tabIndex={-1}
        aria-label={t('filterSettings.import')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file !== undefined) void importFile(file);
        }}
      />
    </Section>
  );
}

async function exportFile(): Promise<void> {
  const exported = await request<FilterExport>('GET', '/api/v1/fieldfare/filters/export');
  const url = URL.createObjectURL(new Blob([JSON.stringify(exported, undefined, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'filters.json';
  link.click();
  URL.revokeObjectURL(url);
}

/** Undefined: the text is no export of filters. */
function parseExport(text: string): FilterExport | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<FilterExport> | null;
    return Array.isArray(parsed?.filters) ? { filters: parsed.filters } : undefined;
  } catch {
    return undefined;
  }
}
