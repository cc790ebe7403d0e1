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
  const versions = useLoaded<Versions>(path, loadVersions);
  if (versions.value === undefined) return <NotLoaded of={versions} count={3} />;
  const { draft, published } = versions.value;
  const run: Run = async (question, method, address) => {
    if (!(await confirm(question))) return;
    try {
      await request(method, `${path}/${address}`, method === 'POST' ? { body: {} } : {});
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
        <DraftForm draft={draft ?? emptyDraft} onSaved={() => versions.load()} />
        {draft !== undefined && <DraftButtons run={run} />}
      </section>
      <section class="section-box" aria-label={t('terms.versions')}>
        <h2>{t('terms.versions')}</h2>
        {published.length === 0 && <p class="soft">{t('terms.noVersions')}</p>}
        <ul class="notes">
          {published.toReversed().map((version) => (
            <Version key={version.effective_date} version={version} run={run} />
          ))}
        </ul>
      </section>
    </>
  );
}

/** Asks, sends a request below the path of the terms, and loads the versions again. */
type Run = (question: Parameters<typeof confirm>[0], method: 'POST' | 'DELETE', address: string) => Promise<void>;

interface DraftFormProps {
  readonly draft: FieldfareAdminTermsOfServiceDraft;
  readonly onSaved: () => Promise<void>;
}

function DraftForm({ draft, onSaved }: DraftFormProps) {
  return (
    <Form
      fields={[
        {
          name: 'content',
          label: t('terms.content'),
          kind: 'html',
          rows: 14,
          isRequired: true,
          hint: t('settingsPage.htmlHint'),
        },
        { name: 'changelog', label: t('terms.changelog'), kind: 'textarea', hint: t('terms.changelogHint') },
        { name: 'effective_date', label: t('terms.effectiveDate'), kind: 'date', hint: t('terms.effectiveDateHint') },
      ]}
      initial={toValues(draft)}
      submitLabel={t('terms.saveDraft')}
      onSubmit={async ({ effective_date: date, ...values }) => {
        const body = { ...values, ...(date !== '' && { effective_date: date }) };
        await request('PUT', `${path}/draft`, { body });
        showToast(t('terms.draftSaved'));
        await onSaved();
      }}
    />
  );
}

function DraftButtons({ run }: { readonly run: Run }) {
  const [publish, remove] = [t('terms.publish'), t('terms.deleteDraft')];
  const questions = {
    publish: { title: publish, text: t('terms.publishText'), action: publish, isDangerous: false },
    remove: { title: remove, text: t('terms.deleteDraftText'), action: remove },
  };
  return (
    <p class="buttons">
      <button type="button" class="button" onClick={() => void run(questions.publish, 'POST', 'draft/publish')}>
        {publish}
      </button>
      <button type="button" class="button quiet" onClick={() => void run(questions.remove, 'DELETE', 'draft')}>
        {remove}
      </button>
    </p>
  );
}

function Version({ version, run }: { readonly version: FieldfareAdminTermsOfService; readonly run: Run }) {
  const { effective_date: date, announced } = version;
  const action = t('terms.announce');
  const question = { title: action, text: t('terms.announceText'), action, isDangerous: false };
  return (
    <li>
      <a href={`/terms-of-service/${date}`}>{date}</a>{' '}
      {announced ? (
        <span class="tag">{t('terms.announced')}</span>
      ) : (
        <button type="button" class="link" onClick={() => void run(question, 'POST', `${date}/announce`)}>
          {action}
        </button>
      )}
    </li>
  );
}

const toValues = ({ content, changelog, effective_date: date }: FieldfareAdminTermsOfServiceDraft) => ({
  content,
  changelog,
  effective_date: date ?? '',
});
