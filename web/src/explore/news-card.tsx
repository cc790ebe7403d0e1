import type { TrendsLink } from '../api/entities.ts';
import { recentPeople } from '../timeline/tags/index.ts';
import { t, tx } from '../i18n/translate.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { DisplayName } from '../ui/display-name.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import './news-card.css';

/** A shared link: its preview, its authors, and how many people talk about it. */
export function NewsCard({ link }: { readonly link: TrendsLink }) {
  const { url, title, description, image, image_description: alt, language, published_at: published } = link;
  const site = link.provider_name === '' ? new URL(url).hostname : link.provider_name;
  return (
    <article class="news-card">
      <a class="news-link" href={url} target="_blank" rel="nofollow noopener noreferrer">
        {image !== null && <img src={image} alt={alt} loading="lazy" decoding="async" />}
        <span lang={language ?? undefined}>
          <span class="soft small">
            <bdi>{site}</bdi>
            {published !== null && (
              <>
                {' · '}
                <RelativeTime time={published} />
              </>
            )}
          </span>
          <strong dir="auto">{title}</strong>
          {description !== '' && (
            <span class="news-description soft small" dir="auto">
              {description}
            </span>
          )}
        </span>
      </a>
      <p class="news-end small">
        <Authors link={link} />
        {link.trend_provider !== undefined && (
          <span class="soft">{t('status.trendsOn', { name: link.trend_provider })}</span>
        )}
        <a href={`/links?url=${encodeURIComponent(url)}`}>{t('explore.talk', { count: recentPeople(link.history) })}</a>
      </p>
    </article>
  );
}

function Authors({ link: { authors, author_name: name } }: { readonly link: TrendsLink }) {
  const [author] = authors;
  if (author?.account != null) {
    const { account } = author;
    return (
      <a class="news-author" href={`/@${account.acct}`}>
        <Avatar account={account} size={20} />
        <span>{tx('explore.by', { name: <DisplayName account={account} /> })}</span>
      </a>
    );
  }
  const written = author?.name ?? name;
  return written === '' ? null : <span class="soft">{tx('explore.by', { name: <bdi>{written}</bdi> })}</span>;
}
