import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useState } from 'preact/hooks';
import { ApiError, request } from '../../api/client.ts';
import type { Filter } from '../../api/entities.ts';
import { locale, t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { hide } from '../../ui/remove-later.ts';
import { describeError, showError } from '../../ui/toasts.tsx';
import { offerUndo } from '../../ui/undo.ts';
import { Choice, Select } from '../controls.tsx';
import {
  contexts,
  emptyForm,
  expiries,
  toForm,
  toRequest,
  type Expiry,
  type FilterForm,
  type KeywordField,
} from './filter-form.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';

interface FilterEditorProps {
  /** Undefined: a new one. */
  readonly filter?: Filter;
  readonly onSaved: () => void;
}

/** The form for a filter and its keywords. */
export function FilterEditor({ filter, onSaved }: FilterEditorProps) {
  const [form, setForm] = useState<FilterForm>(() => (filter === undefined ? emptyForm : toForm(filter)));
  const [problem, setProblem] = useState<unknown>();
  const change = (changes: Partial<FilterForm>): void => setForm((before) => ({ ...before, ...changes }));
  const [save, isSaving] = useSingleRun(async () => {
    try {
      const body = toRequest(form, filter);
      if (filter === undefined) offerRemoval(await request<Filter>('POST', '/api/v2/filters', { body }));
      else await request('PUT', `/api/v2/filters/${filter.id}`, { body });
      onSaved();
    } catch (error) {
      setProblem(error);
    }
  });
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="field">
        <label for="filter-title">{t('filterSettings.title')}</label>
        <input
          id="filter-title"
          type="text"
          dir="auto"
          required
          value={form.title}
          onInput={(event) => change({ title: event.currentTarget.value })}
        />
        <FieldProblem error={problem} field="title" />
      </div>
      <Keywords keywords={form.keywords} onChange={(keywords) => change({ keywords })} />
      <FieldProblem error={problem} field="keyword" />
      <Contexts context={form.context} onChange={(context) => change({ context })} />
      <FieldProblem error={problem} field="context" />
      <Choice
        label={t('filterSettings.action')}
        value={form.action}
        options={(['warn', 'blur', 'hide'] as const).map((value) => ({
          value,
          label: t(`filterSettings.short_${value}`),
          hint: t(`filterSettings.action_${value}`),
        }))}
        onChange={(action) => change({ action })}
      />
      <Select<Expiry>
        label={t('filterSettings.expiry')}
        value={form.expiry}
        options={[
          ...(filter !== undefined && filter.expires_at !== null
            ? [{ value: 'keep' as const, label: formatDate(filter.expires_at) }]
            : []),
          { value: 'never', label: t('filterSettings.never') },
          ...expiries.map((value) => ({ value, label: formatSeconds(Number(value)) })),
        ]}
        onChange={(expiry) => change({ expiry })}
      />
      {problem !== undefined && (
        <p class="filter-problem" role="alert">
          {describeError(problem)}
        </p>
      )}
      <button type="submit" class="button" disabled={isSaving}>
        {t('filterSettings.save')}
      </button>
    </form>
  );
}

/** Offers to delete a filter that was just created. */
function offerRemoval({ id, title }: Filter): void {
  const path = `/api/v2/filters/${id}`;
  offerUndo(t('filterSettings.created', { title }), async () => {
    const show = hide(path);
    await request('DELETE', path).catch((error: unknown) => {
      show();
      showError(error);
    });
  });
}

/** What the server says about a field. */
function FieldProblem({ error, field }: { readonly error: unknown; readonly field: string }) {
  const found = error instanceof ApiError ? error.body?.details?.[field] : undefined;
  if (!Array.isArray(found)) return null;
  const errors = found as readonly { readonly description: string }[];
  return <p class="problem">{errors.map(({ description }) => description).join(' ')}</p>;
}

interface KeywordsProps {
  readonly keywords: readonly KeywordField[];
  readonly onChange: (keywords: readonly KeywordField[]) => void;
}

function Keywords({ keywords, onChange }: KeywordsProps) {
  const replace = (index: number, changed: Partial<KeywordField>): void =>
    onChange(keywords.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <fieldset class="setting keywords">
      <legend>{t('filterSettings.keywords')}</legend>
      <small>{t('filterSettings.keywordsHint')}</small>
      {keywords.map(({ keyword, isWholeWord }, index) => (
        <div key={index} class="keyword">
          <input
            type="text"
            dir="auto"
            aria-label={t('filterSettings.keyword', { number: index + 1 })}
            value={keyword}
            onInput={(event) => replace(index, { keyword: event.currentTarget.value })}
          />
          <label>
            <input
              type="checkbox"
              checked={isWholeWord}
              onChange={(event) => replace(index, { isWholeWord: event.currentTarget.checked })}
            />
            {t('filterSettings.wholeWord')}
          </label>
          <button
            type="button"
            class="icon-button"
            aria-label={t('filterSettings.removeKeyword', { number: index + 1 })}
            onClick={() => onChange(keywords.filter((_one, at) => at !== index))}
          >
            <Icon svg={x} />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button quiet"
        onClick={() => onChange([...keywords, { keyword: '', isWholeWord: true }])}
      >
        {t('filterSettings.addKeyword')}
      </button>
    </fieldset>
  );
}

interface ContextsProps {
  readonly context: Filter['context'];
  readonly onChange: (context: Filter['context']) => void;
}

function Contexts({ context, onChange }: ContextsProps) {
  return (
    <fieldset class="setting options">
      <legend>{t('filterSettings.contexts')}</legend>
      <div class="choice-options">
        {contexts.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={context.includes(one)}
              onChange={({ currentTarget }) =>
                onChange(contexts.filter((other) => (other === one ? currentTarget.checked : context.includes(other))))
              }
            />
            <span>{t(`filterSettings.context_${one}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const formatDate = (time: string): string =>
  new Date(time).toLocaleString(locale.value, { dateStyle: 'medium', timeStyle: 'short' });

function formatSeconds(seconds: number): string {
  const [value, unit] =
    seconds < 3_600
      ? [seconds / 60, 'minute']
      : seconds < 86_400
        ? [seconds / 3_600, 'hour']
        : [seconds / 86_400, 'day'];
  return new Intl.NumberFormat(locale.value, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
