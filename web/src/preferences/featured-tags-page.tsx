import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useState } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { FeaturedTag, Tag } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Icon } from '../ui/icon.tsx';
import { describeError, showError } from '../ui/toasts.tsx';
import { Section } from './controls.tsx';
import { Loaded } from './loaded.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { useSingleRun } from '../ui/use-single-run.ts';

/** The hashtags that the profile features. */
export function FeaturedTagsPage() {
  return (
    <PreferenceFrame title={t('preferences.hashtags')} intro={t('featuredTags.intro')}>
      <Loaded<readonly FeaturedTag[]> path="/api/v1/featured_tags">
        {(tags, set) => <FeaturedTags tags={tags} set={set} />}
      </Loaded>
    </PreferenceFrame>
  );
}

interface FeaturedTagsProps {
  readonly tags: readonly FeaturedTag[];
  readonly set: (tags: readonly FeaturedTag[]) => void;
}

function FeaturedTags({ tags, set }: FeaturedTagsProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [add, isAdding] = useSingleRun(async (added: string) => {
    try {
      const body = { name: added.replace(/^#/, '') };
      set([...tags, await request<FeaturedTag>('POST', '/api/v1/featured_tags', { body })]);
      setName('');
      setProblem(undefined);
    } catch (error) {
      setProblem(describeError(error));
    }
  });
  const remove = async (tag: FeaturedTag): Promise<void> => {
    set(tags.filter(({ id }) => id !== tag.id));
    try {
      await request('DELETE', `/api/v1/featured_tags/${tag.id}`);
    } catch (error) {
      set(tags);
      showError(error, () => void remove(tag));
    }
  };
  return (
    <>
      <Section title={t('featuredTags.featured')}>
        {tags.length === 0 && <p class="soft">{t('featuredTags.none')}</p>}
        <ul class="row-list">
          {tags.map((tag) => (
            <li key={tag.id}>
              <a href={`/tags/${encodeURIComponent(tag.name)}`}>#{tag.name}</a>
              <small class="soft">{t('featuredTags.posts', { count: Number(tag.statuses_count) })}</small>
              <button
                type="button"
                class="icon-button"
                aria-label={t('featuredTags.remove', { name: tag.name })}
                onClick={() => void remove(tag)}
              >
                <Icon svg={x} />
              </button>
            </li>
          ))}
        </ul>
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            void add(name);
          }}
        >
          <div class="field">
            <label for="new-tag">{t('featuredTags.name')}</label>
            <input
              id="new-tag"
              type="text"
              required
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            {problem !== undefined && (
              <span class="problem" role="alert">
                {problem}
              </span>
            )}
          </div>
          <button type="submit" class="button" disabled={isAdding}>
            {t('featuredTags.add')}
          </button>
        </form>
      </Section>
      <Suggestions isKnown={(tag) => tags.some((one) => one.name.toLowerCase() === tag.toLowerCase())} onAdd={add} />
    </>
  );
}

interface SuggestionsProps {
  readonly isKnown: (name: string) => boolean;
  readonly onAdd: (name: string) => Promise<void>;
}

function Suggestions({ isKnown, onAdd }: SuggestionsProps) {
  return (
    <Loaded<readonly Tag[]> path="/api/v1/featured_tags/suggestions">
      {(suggested) => {
        const others = suggested.filter(({ name }) => !isKnown(name));
        if (others.length === 0) return null;
        return (
          <Section title={t('featuredTags.suggestions')}>
            <p class="chips">
              {others.map(({ name }) => (
                <button key={name} type="button" class="button quiet" onClick={() => void onAdd(name)}>
                  #{name}
                </button>
              ))}
            </p>
          </Section>
        );
      }}
    </Loaded>
  );
}
