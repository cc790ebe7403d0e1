import { request } from '../../api/client.ts';
import type { FieldfareAdminSiteImage } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { Form } from '../form/form.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';

const path = '/api/v1/fieldfare/admin/site_images';

/** The images of the site: its thumbnail and its icon. */
export function ImagesPage() {
  return (
    <ModerationPage title={t('sections.images')} permissions={['manage_settings']}>
      <Images />
    </ModerationPage>
  );
}

function Images() {
  const images = useLoaded<readonly FieldfareAdminSiteImage[]>(path);
  if (images.value === undefined) return <NotLoaded of={images} count={2} />;
  return (
    <>
      {images.value.map((image) => (
        <section key={image.name} class="section-box" aria-label={t(`images.${image.name}`)}>
          <h2>{t(`images.${image.name}`)}</h2>
          <img class="site-image" src={Object.values(image.versions)[0] ?? ''} alt={image.description ?? ''} />
          <Form
            key={JSON.stringify(image.versions)}
            fields={[
              { name: 'image', label: t('serverEmojis.image'), kind: 'image', isRequired: true },
              ...(image.name === 'thumbnail'
                ? [{ name: 'description', label: t('images.description'), kind: 'text' as const }]
                : []),
            ]}
            initial={{ image: '', description: image.description ?? '' }}
            submitLabel={t('images.replace')}
            onSubmit={async ({ image: file, description }) => {
              const body = { image: file, ...(image.name === 'thumbnail' && { description }) };
              await request('PUT', `${path}/${image.name}`, { body });
              await images.load();
            }}
          />
          {!image.bundled && (
            <button
              type="button"
              class="button quiet"
              onClick={() => void request('DELETE', `${path}/${image.name}`).then(() => images.load(), showError)}
            >
              {t('images.reset')}
            </button>
          )}
        </section>
      ))}
    </>
  );
}
