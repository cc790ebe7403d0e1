import { locale, t } from '../i18n/translate.tsx';
import { operators, type Operator } from './search-query.ts';

/** Explains what can be searched, and the operators of searches for posts. */
export function SearchHelp() {
  return (
    <section class="search-help" aria-labelledby="search-help">
      <h2 id="search-help">{t('search.helpTitle')}</h2>
      <p>{t('search.help')}</p>
      <dl>
        {(Object.keys(operators) as Operator[]).map((operator) => (
          <div key={operator}>
            <dt>
              <code>{operator}:</code>
            </dt>
            <dd>
              {t(`search.operator_${operator}`)}
              {operators[operator].length > 0 && (
                <span class="soft small">
                  {' '}
                  {new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(operators[operator])}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft">{t('search.helpNegate')}</p>
    </section>
  );
}
