import play from '@phosphor-icons/core/fill/play-fill.svg?raw';
import { useSignal } from '@preact/signals';
import type { PreviewCard } from '../../api/entities.ts';
import { t, tx } from '../../i18n/translate.tsx';
import { DisplayName } from '../../ui/display-name.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Blurhash } from '../media/blurhash.tsx';
import { playerOf } from './player-address.ts';
import './link-card.css';

/** The preview of a link. Players of other sites are loaded only when the reader starts them. */
export function LinkCard({ card }: { readonly card: PreviewCard }) {
  const isPlaying = useSignal(false);
  const player = playerOf(card, location.origin);
  const isWide = card.image !== null && (card.width > card.height || player !== undefined);
  return (
    <div class={isWide ? 'link-card wide' : 'link-card'}>
      {isPlaying.value && player !== undefined ? (
        <iframe
          class="link-card-player"
          src={player}
          title={card.title}
          // A frame of another origin cannot reach this page, and players need the storage of their own.
          // oxlint-disable-next-line react/iframe-missing-sandbox
          sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
          allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
          referrerpolicy="strict-origin-when-cross-origin"
        />
      ) : (
        card.image !== null && (
          <div class="link-card-image">
            <Blurhash hash={card.blurhash} />
            <img src={card.image} alt={card.image_description} loading="lazy" decoding="async" />
            {player !== undefined && (
              <button
                type="button"
                class="play"
                aria-label={t('card.play', { provider: card.provider_name || new URL(player).host })}
                onClick={() => (isPlaying.value = true)}
              >
                <Icon svg={play} />
              </button>
            )}
          </div>
        )
      )}
      <Text card={card} />
    </div>
  );
}

function Text({ card }: { readonly card: PreviewCard }) {
  const author = card.authors.find(({ account }) => account !== null)?.account;
  return (
    <div class="link-card-text" dir="auto" lang={card.language ?? undefined}>
      <span class="soft small">{card.provider_name || new URL(card.url).host}</span>
      <a href={card.url} target="_blank" rel="nofollow noopener noreferrer">
        <strong>{card.title || card.url}</strong>
      </a>
      {card.description !== '' && <span class="link-card-description soft small">{card.description}</span>}
      {author !== undefined && author !== null ? (
        <span class="small">
          {tx('card.by', {
            name: (
              <a href={`/@${author.acct}`}>
                <DisplayName account={author} />
              </a>
            ),
          })}
        </span>
      ) : (
        card.author_name !== '' && <span class="soft small">{t('card.by', { name: card.author_name })}</span>
      )}
    </div>
  );
}
