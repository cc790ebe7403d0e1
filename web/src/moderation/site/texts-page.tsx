import { ApiError, request } from '../../api/client.ts';
import type { FieldfareAdminTermsOfService, FieldfareAdminTermsOfServiceDraft } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { Form } from '../form/form.tsx';
import { ModerationPage } from '../frame/moderation-page.tsx';

const path = '/api/v1/fieldfare/admin/terms_of_service';
const emptyDraft: FieldfareAdminTermsOfServiceDraft = { content: '', changelog: '', effective_date: null };

/** The terms of service: the draft of the next version, and the published ones. */
export function TextsPage() {
  return (
    <ModerationPage title={t('sections.texts')} permissions={['manage_settings']}>
      <Terms />
    </ModerationPage>
  );
}

interface Versions {
  readonly draft: FieldfareAdminTermsOfServiceDraft | undefined;
  readonly published: readonly FieldfareAdminTermsOfService[];
}

async function loadVersions(): Promise<Versions> {
  const [draft, published] = await Promise.all([
    request<FieldfareAdminTermsOfServiceDraft>('GET', `${path}/draft`).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }),
    request<readonly FieldfareAdminTermsOfService[]>('GET', path),
  ]);
  return { draft, published };
}

function Terms() {
  const versions = useLoaded<Versions>('', () => loadVersions());
  if (versions.value === undefined) return <NotLoaded of={versions} count={3} />;
  const { draft, published } = versions.value;
  const run = async (question: Parameters<typeof confirm>[0], send: () => Promise<unknown>): Promise<void> => {
    if (!(await confirm(question))) return;
    try {
      await send();
      await versions.load();
    } catch (problem) {
      showError(problem);
    }
  };
  return (
    <>
      <section class="section-box" aria-label={t('terms.draft')}>
        <h2>{t('terms.draft')}</h2>
        <p class="soft">
          {t('terms.intro')} <a href="/moderation/settings">{t('terms.privacy')}</a>
        </p>
        <Form
          fields={[
            {
              name: 'content',
              label: t('terms.content'),
              kind: 'textarea',
              rows: 14,
              isRequired: true,
              hint: t('settingsPage.htmlHint'),
            },
            { name: 'changelog', label: t('terms.changelog'), kind: 'textarea', hint: t('terms.changelogHint') },
            {
              name: 'effective_date',
              label: t('terms.effectiveDate'),
              kind: 'date',
              hint: t('terms.effectiveDateHint'),
            },
          ]}
          initial={toValues(draft ?? emptyDraft)}
          submitLabel={t('terms.saveDraft')}
          onSubmit={async ({ effective_date: date, ...values }) => {
            const body = { ...values, ...(date !== '' && { effective_date: date }) };
            await request('PUT', `${path}/draft`, { body });
            showToast(t('terms.draftSaved'));
            await versions.load();
          }}
        />
        {draft !== undefined && (
          <p class="buttons">
            <button
              type="button"
              class="button"
              onClick={() =>
                void run(
                  {
                    title: t('terms.publish'),
                    text: t('terms.publishText'),
                    action: t('terms.publish'),
                    isDangerous: false,
                  },
                  () => request('POST', `${path}/draft/publish`, { body: {} }),
                )
              }
            >
              {t('terms.publish')}
            </button>
            <button
              type="button"
              class="button quiet"
              onClick={() =>
                void run(
                  { title: t('terms.deleteDraft'), text: t('terms.deleteDraftText'), action: t('terms.deleteDraft') },
                  () => request('DELETE', `${path}/draft`),
                )
              }
            >
              {t('terms.deleteDraft')}
            </button>
          </p>
        )}
      </section>
      <section class="section-box" aria-label={t('terms.versions')}>
        <h2>{t('terms.versions')}</h2>
        {published.length === 0 && <p class="soft">{t('terms.noVersions')}</p>}
        <ul class="notes">
          {published.toReversed().map((version) => (
            <li key={version.effective_date}>
              <a href={`/terms-of-service/${version.effective_date}`}>{version.effective_date}</a>{' '}
              {version.announced ? (
                <span class="tag">{t('terms.announced')}</span>
              ) : (
                <button
                  type="button"
                  class="link"
                  onClick={() =>
                    void run(
                      {
                        title: t('terms.announce'),
                        text: t('terms.announceText'),
                        action: t('terms.announce'),
                        isDangerous: false,
                      },
                      () => request('POST', `${path}/${version.effective_date}/announce`),
                    )
                  }
                >
                  {t('terms.announce')}
                </button>
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const toValues = ({ content, changelog, effective_date: date }: FieldfareAdminTermsOfServiceDraft) => ({
  content,
  changelog,
  effective_date: date ?? '',
});
