import type { FieldfareAdminRole } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { ResourcePage, type Resource } from '../resource/resource-page.tsx';

const permissions = [
  'administrator',
  'view_devops',
  'view_audit_log',
  'view_dashboard',
  'manage_reports',
  'manage_federation',
  'manage_settings',
  'manage_blocks',
  'manage_taxonomies',
  'manage_appeals',
  'manage_users',
  'manage_invites',
  'manage_rules',
  'manage_announcements',
  'manage_custom_emojis',
  'manage_webhooks',
  'invite_users',
  'manage_roles',
  'manage_user_access',
  'delete_user_data',
  'view_feeds',
  'invite_bypass_approval',
  'manage_email_subscriptions',
  'create_groups',
] as const;

/** The roles with their permissions. */
export function RolesPage() {
  const fields: readonly FieldSpec[] = [
    { name: 'name', label: t('roles.name'), kind: 'text' },
    { name: 'color', label: t('roles.color'), kind: 'text', hint: t('roles.colorHint') },
    { name: 'position', label: t('roles.position'), kind: 'number', hint: t('roles.positionHint') },
    { name: 'highlighted', label: t('roles.highlighted'), kind: 'checkbox' },
    { name: 'require_two_factor', label: t('roles.requireTwoFactor'), kind: 'checkbox' },
    {
      name: 'require_two_factor_from',
      label: t('roles.requireTwoFactorFrom'),
      kind: 'date',
      hint: t('roles.requireTwoFactorFromHint'),
    },
    { name: 'collection_limit', label: t('roles.collectionLimit'), kind: 'number' },
    {
      name: 'permissions',
      label: t('roles.permissions'),
      kind: 'choices',
      options: permissions.map((name) => ({ value: name, label: t(`permission.${name}`) })),
    },
  ];
  const resource: Resource<FieldfareAdminRole> = {
    title: t('sections.roles'),
    permissions: ['manage_roles'],
    path: '/api/v1/fieldfare/admin/roles',
    intro: t('roles.intro'),
    empty: t('roles.empty'),
    addLabel: t('roles.add'),
    fields,
    editFields: fields,
    toValues: (role) => ({
      name: role.name,
      color: role.color,
      position: String(role.position),
      highlighted: role.highlighted,
      require_two_factor: role.require_two_factor,
      require_two_factor_from: role.require_two_factor_from ?? '',
      collection_limit: String(role.collection_limit),
      permissions: role.permissions,
    }),
    nameOf: ({ name }) => (name === '' ? t('staffAccounts.everyone') : name),
    render: (role) => (
      <>
        <p class="item-title">
          <span class="role-color" style={role.color === '' ? {} : { background: role.color }} />
          {role.name === '' ? t('staffAccounts.everyone') : role.name}{' '}
          <span class="small soft">{t('roles.positionIs', { position: role.position })}</span>
        </p>
        <p class="small soft">{t('roles.count', { count: role.permissions.length })}</p>
      </>
    ),
    deletion: { label: t('roles.delete'), text: () => t('roles.deleteText') },
  };
  return <ResourcePage resource={resource} />;
}
