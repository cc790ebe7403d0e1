import { t } from '../i18n/translate.tsx';
import { me } from '../session/session.ts';
import { typeFilters, type TypeFilter } from './notification-types.ts';
import '../ui/filter-bar.css';

/** Returns the filter with this name in an address; undefined: all notifications. */
export const parseTypeFilter = (name: string | undefined): TypeFilter | undefined =>
  name !== undefined && Object.hasOwn(typeFilters, name) ? (name as TypeFilter) : undefined;

/** Links that show only one kind of notifications. */
export function FilterBar({ current }: { readonly current: TypeFilter | undefined }) {
  const isStaff = BigInt(me.value.role?.permissions ?? '0') > 0n;
  const names = (Object.keys(typeFilters) as TypeFilter[]).filter((name) => isStaff || name !== 'staff');
  return (
    <nav class="filter-bar" aria-label={t('notifications.filter')}>
      <a href="/notifications" {...(current === undefined && { 'aria-current': 'true' })}>
        {t('notifications.filter_all')}
      </a>
      {names.map((name) => (
        <a key={name} href={`/notifications?type=${name}`} {...(current === name && { 'aria-current': 'true' })}>
          {t(`notifications.filter_${name}`)}
        </a>
      ))}
    </nav>
  );
}
