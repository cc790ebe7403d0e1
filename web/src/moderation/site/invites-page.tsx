import type { FieldfareAdminInvite } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { expiryField } from '../form/expiry-field.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';

/** Links by which people sign up. */
export function InvitesPage() {
  const path = '/api/v1/fieldfare/admin/invites';
  const resource: Resource<FieldfareAdminInvite> = {
    title: t('sections.invites'),
    permissions: ['manage_invites'],
    path,
    intro: t('site.invitesIntro'),
    empty: t('site.noInvites'),
    filters: [
      {
        name: 'state',
        label: t('staffAccounts.state'),
        options: [
          { value: '', label: t('moderation.all') },
          { value: 'available', label: t('site.inviteAvailable') },
          { value: 'expired', label: t('site.inviteExpired') },
        ],
      },
    ],
    addLabel: t('site.addInvite'),
    fields: [
      { name: 'max_uses', label: t('site.maxUses'), kind: 'number', hint: t('site.maxUsesHint') },
      expiryField(),
      { name: 'comment', label: t('servers.comment'), kind: 'text' },
    ],
    prepareBody: ({ expires_in: expires, ...body }) => ({
      ...body,
      ...(expires !== '' && { expires_in: Number(expires) }),
    }),
    nameOf: ({ code }) => code,
    render: ({ url, uses, max_uses: max, usable, username, comment }) => (
      <>
        <p class="item-title">
          {url} {!usable && <span class="tag">{t('site.inviteExpired')}</span>}
        </p>
        <p class="small soft">
          <bdi>@{username}</bdi> ·{' '}
          {max === null ? t('site.uses', { count: uses }) : t('site.usesOf', { count: uses, max })}
          {comment !== null && comment !== '' && ` · ${comment}`}
        </p>
      </>
    ),
    actions: ({ id, url, usable }, list) => [
      { label: t('site.copyLink'), onSelect: () => void copyText(url, t('site.copied')) },
      usable ? postAction(t('site.expireInvite'), { list, path: `${path}/${id}/expire` }) : undefined,
    ],
  };
  return <ResourcePage resource={resource} />;
}
