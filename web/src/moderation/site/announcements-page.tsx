import type { AdminAnnouncement } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { toLocalTime, type FieldSpec } from '../form/fields.ts';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';

/** Announcements to all users. */
export function AnnouncementsPage() {
  const path = '/api/v1/fieldfare/admin/announcements';
  const fields: readonly FieldSpec[] = [
    { name: 'text', label: t('site.announcementText'), kind: 'textarea', isRequired: true },
    { name: 'starts_at', label: t('site.startsAt'), kind: 'datetime-local' },
    { name: 'ends_at', label: t('site.endsAt'), kind: 'datetime-local' },
    { name: 'all_day', label: t('site.allDay'), kind: 'checkbox' },
    { name: 'scheduled_at', label: t('site.scheduledAt'), kind: 'datetime-local', hint: t('site.scheduledAtHint') },
  ];
  const resource: Resource<AdminAnnouncement> = {
    title: t('sections.announcements'),
    permissions: ['manage_announcements'],
    path,
    intro: t('site.announcementsIntro'),
    empty: t('site.noAnnouncements'),
    addLabel: t('site.addAnnouncement'),
    fields: [...fields, { name: 'published', label: t('site.publishNow'), kind: 'checkbox' }],
    editFields: fields,
    toValues: (announcement) => ({
      text: announcement.text,
      starts_at: toLocalTime(announcement.starts_at),
      ends_at: toLocalTime(announcement.ends_at),
      all_day: announcement.all_day,
      scheduled_at: toLocalTime(announcement.scheduled_at),
    }),
    nameOf: ({ text }) => text.slice(0, 40),
    render: ({ text, published, updated_at: time }) => (
      <>
        <p dir="auto">{text}</p>
        <p class="small soft">
          {published ? t('site.published') : t('site.draft')} · <RelativeTime time={time} />
        </p>
      </>
    ),
    actions: ({ id, published }, list) => [
      published
        ? postAction(t('site.unpublish'), { list, path: `${path}/${id}/unpublish` })
        : postAction(t('site.publish'), { list, path: `${path}/${id}/publish` }),
    ],
    deletion: { label: t('site.deleteAnnouncement'), text: () => t('site.deleteAnnouncementText') },
  };
  return <ResourcePage resource={resource} />;
}
