import { request } from '../../api/client.ts';
import type { PostImport } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError } from '../../ui/toasts.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { useSingleRun } from '../../ui/use-single-run.ts';

interface PostImportItemProps {
  readonly imported: PostImport;
  readonly onChange: (changed: PostImport) => void;
}

/** An archive that is read, waits for its owner, or whose posts are added, were added or are deleted again. */
export function PostImportItem({ imported, onChange }: PostImportItemProps) {
  const { id, state, imported_count: count } = imported;
  const path = `/api/v1/fieldfare/post_imports/${id}`;
  useRefresh(path, state === 'reading' || state === 'adding', onChange);
  const [run] = useSingleRun(async (work: () => Promise<PostImport>): Promise<void> => {
    try {
      onChange(await work());
    } catch (error) {
      showError(error, () => void run(work));
    }
  });
  const undo = async (): Promise<PostImport> => {
    await request('DELETE', path);
    return { ...imported, state: 'undoing' };
  };
  return (
    <li class="import">
      <p>
        {imported.actor !== null && <bdi>{imported.actor}</bdi>}{' '}
        <span class="soft small">
          <RelativeTime time={imported.created_at} />
        </span>
      </p>
      <State imported={imported} />
      {state === 'unconfirmed' && (
        <Choices
          imported={imported}
          onConfirm={(body) => void run(() => request<PostImport>('POST', `${path}/confirm`, { body }))}
        />
      )}
      <p class="import-actions">
        {(state === 'reading' || state === 'unconfirmed' || state === 'adding') && (
          <button
            type="button"
            class="button quiet"
            onClick={() => void run(() => request<PostImport>('POST', `${path}/stop`))}
          >
            {t(state === 'unconfirmed' ? 'yourData.discard' : 'yourData.stop')}
          </button>
        )}
        {state === 'finished' && count > 0 && (
          <button
            type="button"
            class="button quiet"
            onClick={() =>
              void confirm({
                title: t('postImports.undoQuestion'),
                text: t('postImports.posts', { number: formatCount(count) }),
                action: t('postImports.undo'),
                isDangerous: true,
              }).then((isSure) => (isSure ? run(undo) : undefined))
            }
          >
            {t('postImports.undo')}
          </button>
        )}
      </p>
    </li>
  );
}

function State({ imported }: { readonly imported: PostImport }) {
  const { state, problem, posts_count: posts, direct_count: direct } = imported;
  if (state === 'reading') return <p role="status">{t('postImports.reading')}</p>;
  if (state === 'undoing') return <p role="status">{t('postImports.undoing')}</p>;
  if (state === 'failed') return problem === null ? null : <p role="status">{t(`postImportProblem.${problem}`)}</p>;
  const done = imported.imported_count + imported.known_count + imported.refused_count;
  const isWaiting = state === 'unconfirmed';
  const counts = [
    isWaiting && t('postImports.found', { number: formatCount(posts) }),
    isWaiting && imported.boosts_count > 0 && t('postImports.boosts', { number: formatCount(imported.boosts_count) }),
    isWaiting &&
      imported.invalid_count > 0 &&
      t('postImports.invalid', { number: formatCount(imported.invalid_count) }),
    !isWaiting && t('postImports.posts', { number: formatCount(imported.imported_count) }),
    imported.known_count > 0 && t('postImports.known', { number: formatCount(imported.known_count) }),
    imported.refused_count > 0 && t('postImports.refused', { number: formatCount(imported.refused_count) }),
    imported.missing_files_count > 0 &&
      t('postImports.missingFiles', { number: formatCount(imported.missing_files_count) }),
  ];
  return (
    <>
      {state === 'adding' && (
        <progress max={Math.max(posts + direct, done, 1)} value={done} aria-label={t('yourData.progress')} />
      )}
      <div role="status">
        <ul>{counts.map((text) => text !== false && <li key={text}>{text}</li>)}</ul>
      </div>
    </>
  );
}

interface ChoicesProps {
  readonly imported: PostImport;
  readonly onConfirm: (choices: Readonly<Record<string, boolean>>) => void;
}

/** What the owner decides before posts are added. */
function Choices({ imported, onConfirm }: ChoicesProps) {
  const { actor, direct_count: direct, bookmarks_count: bookmarks, likes_count: likes } = imported;
  const choices = [
    !imported.own_account && {
      name: 'other_account',
      label: actor === null ? t('postImports.mine') : t('postImports.mineElsewhere'),
      isRequired: true,
    },
    direct > 0 && { name: 'direct', label: t('postImports.direct', { number: formatCount(direct) }) },
    bookmarks > 0 && { name: 'bookmarks', label: t('postImports.bookmarks', { number: formatCount(bookmarks) }) },
    likes > 0 && { name: 'likes', label: t('postImports.likes', { number: formatCount(likes) }) },
  ].filter((choice) => choice !== false);
  return (
    <form
      class="import-form"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        onConfirm(Object.fromEntries(choices.map(({ name }) => [name, data.has(name)])));
      }}
    >
      <div>
        {choices.map(({ name, label, isRequired = false }) => (
          <label key={name} class="choice">
            <input type="checkbox" name={name} required={isRequired} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <button type="submit" class="button">
        {t('yourData.start')}
      </button>
    </form>
  );
}
