import type { FieldfareAdminCustomEmoji } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import type { FieldSpec } from '../form/fields.ts';
import { BatchActions } from './batch-actions.tsx';
import { openUploadDialog } from './upload-dialog.tsx';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';
import { putItem } from '../list/listed.ts';

/** The custom emojis of the server, and those of other servers, which can be copied. */
export function EmojisPage() {
  const path = '/api/v1/fieldfare/admin/custom_emojis';
  const image: FieldSpec = {
    name: 'image',
    label: t('serverEmojis.image'),
    kind: 'image',
    hint: t('serverEmojis.imageHint'),
  };
  const details: readonly FieldSpec[] = [
    { name: 'category', label: t('serverEmojis.category'), kind: 'text' },
    { name: 'visible_in_picker', label: t('serverEmojis.visible'), kind: 'checkbox' },
  ];
  const resource: Resource<FieldfareAdminCustomEmoji> = {
    title: t('sections.emojis'),
    permissions: ['manage_custom_emojis'],
    path,
    intro: t('serverEmojis.intro'),
    empty: t('serverEmojis.empty'),
    filters: emojiFilters(),
    renderExtra: (list) => (
      <button type="button" class="button" onClick={() => openUploadDialog((emoji) => putItem(list, emoji))}>
        {t('serverEmojis.add')}
      </button>
    ),
    renderSelection: (selection) => <BatchActions selection={selection} />,
    editFields: [image, ...details],
    toValues: ({ category, visible_in_picker: isVisible }) => ({
      category: category ?? '',
      visible_in_picker: isVisible,
    }),
    nameOf: ({ shortcode, domain }) => (domain === null ? `:${shortcode}:` : `:${shortcode}:@${domain}`),
    render: (emoji) => (
      <p class="item-title">
        <img class="emoji large" src={emoji.static_url} alt="" loading="lazy" /> :{emoji.shortcode}:{' '}
        {emoji.domain !== null && <span class="soft">{emoji.domain}</span>}{' '}
        {emoji.category !== null && <span class="tag">{emoji.category}</span>}{' '}
        {emoji.domain === null && !emoji.visible_in_picker && <span class="tag">{t('serverEmojis.hidden')}</span>}{' '}
        {emoji.disabled && <span class="tag warn">{t('serverEmojis.disabled')}</span>}
      </p>
    ),
    actions: ({ id, domain, local_id: localId, disabled }, list) => [
      domain !== null && localId === null
        ? postAction(t('serverEmojis.copy'), { list, path: `${path}/${id}/copy` })
        : undefined,
      disabled
        ? postAction(t('serverEmojis.enable'), { list, path: `${path}/${id}/enable` })
        : postAction(t('serverEmojis.disable'), { list, path: `${path}/${id}/disable` }),
    ],
    deletion: { label: t('serverEmojis.delete'), text: () => t('serverEmojis.deleteText') },
  };
  return <ResourcePage resource={resource} />;
}

const emojiFilters = () => [
  {
    name: 'origin',
    label: t('moderation.origin'),
    options: [
      { value: '', label: t('moderation.all') },
      { value: 'local', label: t('moderation.local') },
      { value: 'remote', label: t('moderation.remote') },
    ],
  },
  {
    name: 'state',
    label: t('staffAccounts.state'),
    options: [
      { value: '', label: t('moderation.all') },
      { value: 'enabled', label: t('serverEmojis.enabled') },
      { value: 'disabled', label: t('serverEmojis.disabled') },
    ],
  },
  { name: 'shortcode', label: t('serverEmojis.shortcode') },
  { name: 'by_domain', label: t('servers.domain') },
];
