import { useSignal } from '@preact/signals';
import { request } from '../../api/client.ts';
import type { CredentialAccount, Instance, Profile } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { PageHeader } from '../../layout/index.ts';
import { instance, me, setMe } from '../../session/session.ts';
import { storeAccount } from '../../store/statuses.ts';
import { describeError, showError, showToast } from '../../ui/toasts.tsx';
import { FlagFields } from './flag-fields.tsx';
import { ImageField } from './image-field.tsx';
import { profileDraft, toDraft, toInput, type ProfileDraft } from './profile-draft.ts';
import { FieldsEditor, NameAndBio } from './text-fields.tsx';
import { useSingleRun } from '../../ui/use-single-run.ts';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import './profile-editor.css';

/** The form of the reader's own profile. */
export function ProfileEditorPage() {
  const stored = useLoaded<Profile>('/api/v1/profile', async (signal) => {
    const profile = await request<Profile>('GET', '/api/v1/profile', { signal });
    profileDraft.value ??= toDraft(profile);
    return profile;
  });
  const loaded = stored.value;
  const limits = instance.value?.configuration.accounts;
  const draft = profileDraft.value;
  return (
    <>
      <PageHeader
        title={t('profileEditor.title')}
        hasBack
        actions={
          <a class="button quiet" href={`/@${me.value.acct}`}>
            {t('profileEditor.view')}
          </a>
        }
      />
      {loaded === undefined || limits === undefined || draft === undefined ? (
        <NotLoaded of={stored} />
      ) : (
        <ProfileForm
          profile={loaded}
          draft={draft}
          limits={limits}
          onSaved={(profile) => {
            stored.value = profile;
            profileDraft.value = toDraft(profile);
          }}
        />
      )}
    </>
  );
}

interface ProfileFormProps {
  readonly profile: Profile;
  readonly draft: ProfileDraft;
  readonly limits: Instance['configuration']['accounts'];
  readonly onSaved: (profile: Profile) => void;
}

const change = (changes: Partial<ProfileDraft>): void => {
  const before = profileDraft.peek();
  if (before !== undefined) profileDraft.value = { ...before, ...changes };
};

function ProfileForm({ profile, draft, limits, onSaved }: ProfileFormProps) {
  const problem = useSignal('');
  const [save, isSaving] = useSingleRun(async () => {
    problem.value = '';
    try {
      onSaved(await request<Profile>('PATCH', '/api/v1/profile', { body: toInput(draft) }));
      await reloadMe();
      showToast(t('profileEditor.saved'));
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <div class="profile-editor">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Images profile={profile} draft={draft} limits={limits} onSaved={onSaved} />
        <NameAndBio draft={draft} change={change} limits={limits} />
        <FieldsEditor draft={draft} change={change} limits={limits} />
        <FlagFields draft={draft} change={change} />
        <div class="save-bar">
          <span class="problem" role="alert">
            {problem.value}
          </span>
          <button type="submit" class="button" disabled={isSaving}>
            {t('profileEditor.save')}
          </button>
        </div>
      </form>
      <p>
        <a href="/settings/migration">{t('profileEditor.moving')}</a>
      </p>
    </div>
  );
}

/** Shows the changed profile everywhere. */
async function reloadMe(): Promise<void> {
  const account = await request<CredentialAccount>('GET', '/api/v1/accounts/verify_credentials');
  setMe(account);
  storeAccount(account);
}

function Images({ profile, draft, limits, onSaved }: ProfileFormProps) {
  const remove = async (kind: 'avatar' | 'header'): Promise<void> => {
    change({ [kind]: undefined, [`${kind}_description`]: '' });
    if (profile[kind] === null) return;
    try {
      await request('DELETE', `/api/v1/profile/${kind}`);
      const kept = profileDraft.peek();
      onSaved(await request<Profile>('GET', '/api/v1/profile'));
      profileDraft.value = kept;
      await reloadMe();
    } catch (error) {
      showError(error, () => void remove(kind));
    }
  };
  return (
    <>
      <ImageField
        label={t('profileEditor.header')}
        chooseLabel={t('profileEditor.chooseHeader')}
        removeLabel={t('profileEditor.removeHeader')}
        descriptionLabel={t('profileEditor.headerDescription')}
        url={draft.header ?? profile.header ?? undefined}
        size={{ width: 1500, height: 500 }}
        description={draft.header_description}
        maxDescription={limits.max_header_description_length}
        onImage={(header) => change({ header })}
        onRemove={() => void remove('header')}
        onDescription={(text) => change({ header_description: text })}
      />
      <ImageField
        label={t('profileEditor.avatar')}
        chooseLabel={t('profileEditor.chooseAvatar')}
        removeLabel={t('profileEditor.removeAvatar')}
        descriptionLabel={t('profileEditor.avatarDescription')}
        url={draft.avatar ?? profile.avatar ?? undefined}
        size={{ width: 400, height: 400 }}
        description={draft.avatar_description}
        maxDescription={limits.max_avatar_description_length}
        onImage={(avatar) => change({ avatar })}
        onRemove={() => void remove('avatar')}
        onDescription={(text) => change({ avatar_description: text })}
      />
    </>
  );
}
