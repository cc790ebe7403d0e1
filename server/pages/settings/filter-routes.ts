import { Type, type Static } from 'typebox';
import { createFilter, deleteFilter, updateFilter } from '../../filters/edit/index.ts';
import { FilterAction, FilterContext, filterContexts, listFilters, type Filter } from '../../filters/index.ts';
import { html, type Html } from '../../platform/http/html.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { formatDay } from '../../platform/i18n/format-day.ts';
import { formatDuration } from '../../platform/i18n/format-duration.ts';
import { idSchema, type FilterId } from '../../platform/ids.ts';
import type { Session } from '../../users/sign-in/index.ts';
import { signedInPageRoute } from '../page-routes.ts';
import { field, form } from '../render/forms.ts';
import type { Visitor } from '../visitor.ts';
import { checkbox, select } from '../render/form-controls.ts';
import { saveSettings, settingsPage, type SettingsState } from './settings-page.ts';

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const path = '/settings/filters';
const params = Type.Object({ id: idSchema<'filter'>() });

const filterInput = Type.Object({
  title: text,
  context: Type.Optional(Type.Array(FilterContext)),
  filter_action: Type.Optional(FilterAction),
  /** Seconds, blank for never, or `unchanged`. */
  expires_in: text,
  keywords: text,
  whole_word: flag,
  /** Ids of keywords that are removed. */
  removed: Type.Optional(Type.Array(idSchema<'filter-keyword'>())),
});
type FilterForm = Static<typeof filterInput>;

/** A form that was refused. */
interface RefusedForm {
  /** Undefined: the form for a new filter. */
  readonly id?: FilterId;
  readonly input: FilterForm;
}

/** Seconds after which a filter may expire. */
const expiryChoices = [1_800, 3_600, 21_600, 43_200, 86_400, 604_800];
const unchanged = 'unchanged';

export const filterSettingsRoutes: readonly Route[] = [
  signedInPageRoute('GET', '/settings/filters', {
    summary: 'Show the filters of the user',
    input: Type.Object({ saved: flag }),
    handle: ({ visitor, session, input: { saved } }) => filtersPage(visitor, session, { isSaved: saved }),
  }),

  signedInPageRoute('POST', '/settings/filters', {
    summary: 'Create a filter',
    input: filterInput,
    handle: ({ visitor, session, input }) =>
      saveSettings(visitor, path, {
        change: () => createFilter(visitor.app, session.accountId, toFilter(input)),
        show: (state) => filtersPage(visitor, session, state, { input }),
      }),
  }),

  signedInPageRoute('POST', '/settings/filters/:id', {
    summary: 'Change a filter and its keywords',
    params,
    input: filterInput,
    handle: ({ visitor, session, params: { id }, input }) =>
      saveSettings(visitor, path, {
        change: () => updateFilter(visitor.app, session.accountId, id, toFilter(input)),
        show: (state) => filtersPage(visitor, session, state, { id, input }),
      }),
  }),

  signedInPageRoute('POST', '/settings/filters/:id/delete', {
    summary: 'Delete a filter',
    params,
    handle: ({ visitor, session, params: { id } }) =>
      saveSettings(visitor, path, {
        change: () => deleteFilter(visitor.app, session.accountId, id),
        show: (state) => filtersPage(visitor, session, state),
      }),
  }),
];

/** Converts a form, which has one keyword a line, to the parameters of the API. */
function toFilter({
  title = '',
  context = [],
  filter_action,
  expires_in,
  keywords = '',
  whole_word,
  removed = [],
}: FilterForm) {
  const lines = keywords.split(/[\r\n]/).filter((line) => line.trim() !== '');
  return {
    title,
    context,
    ...(filter_action !== undefined && { filter_action }),
    ...(expires_in !== unchanged && { expires_in }),
    keywords_attributes: [
      ...lines.map((keyword) => ({ keyword: keyword.trim(), whole_word: whole_word === true })),
      ...removed.map((id) => ({ id, _destroy: true })),
    ],
  };
}

async function filtersPage(
  visitor: Visitor,
  session: Session,
  state: SettingsState,
  refused?: RefusedForm,
): Promise<HttpResponse> {
  const { app, t } = visitor;
  const filters = await listFilters(app, session.accountId);
  const inputOf = (id: FilterId | undefined) =>
    refused !== undefined && refused.id === id ? refused.input : undefined;
  return settingsPage(visitor, {
    title: t('settings.filters'),
    state,
    body: html`${filters.map((filter) => filterCard(visitor, filter, inputOf(filter.id)))}
      <section class="card" aria-labelledby="new-title">
        <h2 id="new-title">${t('settings.newFilter')}</h2>
        ${form(visitor, path, filterFields(visitor, undefined, inputOf(undefined)))}
      </section>`,
  });
}

function filterCard(visitor: Visitor, filter: Filter, refused: FilterForm | undefined): Html {
  const { t } = visitor;
  const { id, title, expires_at: expiresAt } = filter;
  return html`<section class="card" aria-labelledby="filter-${id}">
    <h2 id="filter-${id}">${title}</h2>
    ${expiresAt !== null && html`<p class="soft small">${t('settings.expires', { date: formatDay(t, expiresAt) })}</p>`}
    ${form(visitor, `${path}/${id}`, filterFields(visitor, filter, refused))}
    ${form(visitor, `${path}/${id}/delete`, html`<button class="danger" aria-label="${t('settings.deleteFilter', { title })}">${t('settings.deleteButton')}</button>`)}
  </section>`;
}

const newFilter: FilterForm = {
  title: '',
  context: ['home', 'notifications', 'public', 'thread'],
  filter_action: 'warn',
  expires_in: '',
  whole_word: true,
};

const storedForm = ({ title, context, filter_action }: Filter): FilterForm => ({
  title,
  context,
  filter_action,
  expires_in: unchanged,
  whole_word: true,
});

/** Renders the fields of a filter, with what was typed into a form that was refused. */
function filterFields({ t }: Visitor, filter: Filter | undefined, refused: FilterForm | undefined): Html {
  const prefix = filter?.id ?? 'new';
  const shown = refused ?? (filter === undefined ? newFilter : storedForm(filter));
  const expiries = expiryChoices.map((seconds) => [String(seconds), formatDuration(t.locale, seconds)] as const);
  return html`${field({ label: t('settings.filterTitle'), name: 'title', id: `title-${prefix}`, value: shown.title, autocomplete: 'off' })}
    <fieldset>
      <legend>${t('settings.filterContexts')}</legend>
      ${filterContexts.map((context) =>
        checkbox({
          label: t(`settings.context_${context}`),
          name: 'context[]',
          id: `context-${prefix}-${context}`,
          value: context,
          checked: shown.context?.includes(context) === true,
        }),
      )}
    </fieldset>
    ${select({
      label: t('settings.filterAction'),
      name: 'filter_action',
      id: `action-${prefix}`,
      selected: shown.filter_action ?? 'warn',
      options: [
        ['warn', t('settings.filterWarn')],
        ['hide', t('settings.filterHide')],
        ['blur', t('settings.filterBlur')],
      ],
    })}
    ${select({
      label: t('settings.filterExpiresIn'),
      name: 'expires_in',
      id: `expires-${prefix}`,
      selected: shown.expires_in ?? '',
      options: [
        ...(filter === undefined ? [] : [[unchanged, t('settings.filterExpiryUnchanged')] as const]),
        ['', t('settings.filterNeverExpires')],
        ...expiries,
      ],
    })}
    ${
      filter !== undefined &&
      filter.keywords.length > 0 &&
      html`<fieldset>
        <legend>${t('settings.removeKeywords')}</legend>
        ${filter.keywords.map(({ id, keyword }) => checkbox({ label: keyword, name: 'removed[]', id: `keyword-${id}`, value: id, checked: shown.removed?.includes(id) === true }))}
      </fieldset>`
    }
    ${field({ label: t('settings.newKeywords'), name: 'keywords', id: `keywords-${prefix}`, value: shown.keywords, autocomplete: 'off', multiline: true, optional: true, hint: t('settings.keywordsHint') })}
    ${checkbox({ label: t('settings.wholeWord'), name: 'whole_word', id: `whole-word-${prefix}`, checked: shown.whole_word === true })}
    <div class="buttons"><button>${t('settings.save')}</button></div>`;
}
