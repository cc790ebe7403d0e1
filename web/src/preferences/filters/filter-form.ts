import type { Filter } from '../../api/entities.ts';

/** A keyword in the form. One without id is new. */
export interface KeywordField {
  readonly id?: string;
  readonly keyword: string;
  readonly isWholeWord: boolean;
}

/** What the form for a filter holds. */
export interface FilterForm {
  readonly title: string;
  readonly context: Filter['context'];
  readonly action: Filter['filter_action'];
  /** Seconds from now; `never`; `keep`: as it is. */
  readonly expiry: Expiry;
  readonly keywords: readonly KeywordField[];
}

/** The places where a filter can apply, in the order of the form. */
export const contexts = ['home', 'notifications', 'public', 'thread', 'account'] as const;

/** Times until a filter expires, in seconds. */
export const expiries = ['1800', '3600', '21600', '43200', '86400', '604800', '2592000'] as const;
export type Expiry = (typeof expiries)[number] | 'never' | 'keep';

/** The form for a new filter. */
export const emptyForm: FilterForm = {
  title: '',
  context: ['home', 'public', 'thread'],
  action: 'warn',
  expiry: 'never',
  keywords: [{ keyword: '', isWholeWord: true }],
};

/** Returns the form for a filter as it is. */
export function toForm(filter: Filter): FilterForm {
  return {
    title: filter.title,
    context: filter.context,
    action: filter.filter_action,
    expiry: filter.expires_at === null ? 'never' : 'keep',
    keywords: filter.keywords.map(({ id, keyword, whole_word: isWholeWord }) => ({ id, keyword, isWholeWord })),
  };
}

/** Returns the body of the request that saves a form. Blank keywords are left out; missing ones of `before` are deleted. */
export function toRequest(form: FilterForm, before?: Filter): object {
  const kept = form.keywords.filter(({ keyword }) => keyword.trim() !== '');
  const deleted = (before?.keywords ?? []).filter(({ id }) => !kept.some((one) => one.id === id));
  return {
    title: form.title,
    context: form.context,
    filter_action: form.action,
    ...(form.expiry !== 'keep' && { expires_in: form.expiry === 'never' ? '' : Number(form.expiry) }),
    keywords_attributes: [
      ...kept.map(({ id, keyword, isWholeWord }) => ({
        ...(id !== undefined && { id }),
        keyword,
        whole_word: isWholeWord,
      })),
      ...deleted.map(({ id }) => ({ id, _destroy: true })),
    ],
  };
}
