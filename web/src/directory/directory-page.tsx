import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Account } from '../api/entities.ts';
import { withQuery } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { AccountRow, Suggestions } from '../people/index.ts';
import { usePages } from '../store/pages.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { EmptyState } from '../ui/states.tsx';
import './directory.css';

type Order = 'active' | 'new';
type Origin = 'local' | 'all';
type Source = Origin | 'suggested';

/** The accounts that want to be found, local or all, by their latest post or the newest first; and suggestions. */
export function DirectoryPage() {
  const order = useSignal<Order>('active');
  const origin = useSignal<Source>('local');
  return (
    <>
      <PageHeader title={t('directory.title')} hasBack />
      <div class="directory-filters">
        <Choice
          label={t('directory.origin')}
          value={origin.value}
          options={{ local: t('directory.local'), all: t('directory.all'), suggested: t('directory.suggested') }}
          onChange={(value) => (origin.value = value)}
        />
        {origin.value !== 'suggested' && (
          <Choice
            label={t('directory.order')}
            value={order.value}
            options={{ active: t('directory.active'), new: t('directory.new') }}
            onChange={(value) => (order.value = value)}
          />
        )}
      </div>
      {origin.value === 'suggested' ? (
        <Suggestions />
      ) : (
        <Directory key={`${order.value} ${origin.value}`} order={order.value} origin={origin.value} />
      )}
    </>
  );
}

function Directory({ order, origin }: { readonly order: Order; readonly origin: Origin }) {
  const list = usePages<Account>(withQuery('/api/v1/directory', { order, local: origin === 'local' || undefined }));
  return (
    <PagedList
      hasLines
      pages={list}
      label={t('directory.title')}
      empty={
        <EmptyState title={t('directory.empty')}>
          <p>{t('directory.emptyHint')}</p>
          <a class="button quiet" href="/preferences/profile">
            {t('profile.edit')}
          </a>
        </EmptyState>
      }
      keyOf={({ id }) => id}
      render={(account) => <AccountRow account={account} />}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend class="visually-hidden">{label}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}
