import { withQuery } from '../../api/client.ts';
import type { FieldfareAuditEntry } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';
import { FilterBar, useFilters } from '../list/filters.tsx';
import { ItemList } from '../list/item-list.tsx';
import { usePages } from '../../store/pages.ts';

/** What staff changed. */
export function AuditLogPage() {
  return (
    <ModerationPage title={t('sections.auditLog')} permissions={['view_audit_log']}>
      <Entries />
    </ModerationPage>
  );
}

const targetTypes = [
  'account',
  'announcement',
  'appeal',
  'custom_emoji',
  'domain_allow',
  'domain_block',
  'email_domain_block',
  'invite',
  'ip_block',
  'moderation_rule',
  'provider',
  'relay',
  'report',
  'role',
  'rule',
  'setting',
  'username_block',
  'webhook',
] as const;

function Entries() {
  const of = useFilters({ action: '', target_type: '', target_id: '', staff_id: '' });
  const { values } = of;
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const list = usePages<FieldfareAuditEntry>(withQuery('/api/v1/fieldfare/admin/audit_log', query));
  return (
    <>
      <FilterBar
        label={t('moderation.filters')}
        of={of}
        filters={[
          {
            name: 'target_type',
            label: t('audit.target'),
            options: [
              { value: '', label: t('moderation.all') },
              ...targetTypes.map((type) => ({ value: type, label: type.replaceAll('_', ' ') })),
            ],
          },
          { name: 'action', label: t('audit.action') },
          { name: 'target_id', label: t('audit.targetId') },
          { name: 'staff_id', label: t('audit.staffId') },
        ]}
      />
      <ItemList
        list={list}
        label={t('sections.auditLog')}
        empty={t('audit.empty')}
        renderItem={(entry) => <Entry entry={entry} />}
      />
    </>
  );
}

function Entry({ entry }: { readonly entry: FieldfareAuditEntry }) {
  const { staff, action, target, before, after } = entry;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <div class="item">
      <div class="item-text">
        <p>
          <strong>{staff === null ? t('audit.commandLine') : `@${staff.username}`}</strong>{' '}
          <span class="tag">{action}</span> <bdi>{target.label}</bdi>
        </p>
        <p class="small soft">
          <RelativeTime time={entry.created_at} />
        </p>
        {names.length > 0 && (
          <details>
            <summary>{t('audit.changes', { count: names.length })}</summary>
            <dl class="facts">
              {names.map((name) => (
                <>
                  <dt key={name}>{name}</dt>
                  <dd key={`${name} value`}>
                    {before !== null && name in before && <del>{show(before[name])}</del>}{' '}
                    {after !== null && name in after && <ins>{show(after[name])}</ins>}
                  </dd>
                </>
              ))}
            </dl>
          </details>
        )}
      </div>
    </div>
  );
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
