import type { Config } from '../../server/platform/config.ts';
import { type Term, wordTerms } from '../../server/search/index.ts';
import { formatText } from '../../server/text/format/index.ts';
import { htmlToText, splitWords } from '../../server/text/index.ts';
import { copyNull, escapeCopyText, CopyBuffer } from './copy-buffer.ts';
import type { Random } from './random.ts';
import { birds, givenNames, remoteHosts, profileNotes } from './vocabulary.ts';

/** A person of the demo data. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly domain: string | null;
  readonly displayName: string;
  /** ActivityPub id; those of their posts start with it. */
  readonly uri: string;
  /** Profile page; those of their posts start with it. */
  readonly url: string;
  readonly createdAt: number;
  /** Reads the home timeline, so that it has a stored feed. */
  readonly active: boolean;
  /** The mention at the start of a post: as text, as HTML, and the search index entries of both. */
  readonly mention: {
    readonly text: string;
    readonly content: string;
    readonly textTerms: readonly Term[];
    readonly contentTerms: readonly Term[];
  };
}

const dayMs = 86_400_000;
const remoteShare = 0.2;
const maxActive = 1_000;

/** Generates `count` people, the popular ones first. A fifth of them are remote. */
export function generatePeople(random: Random, count: number, config: Config, now: number): Person[] {
  const people: Person[] = [];
  let active = 0;
  for (let index = 0; index < count; index += 1) {
    const given = givenNames[index % givenNames.length] ?? '';
    const bird = birds[(index + Math.floor(index / givenNames.length)) % birds.length] ?? '';
    const round = Math.floor(index / (givenNames.length * birds.length));
    const plain = given.normalize('NFD').replaceAll(/[^A-Za-z]/g, '');
    const username = `${plain}_${bird}${round === 0 ? '' : round + 1}`.toLowerCase();
    const domain = index > 2 && random.chance(remoteShare) ? random.pick(remoteHosts) : null;
    const base = domain === null ? config.baseUrl : `https://${domain}`;
    const createdAt = now - 730 * dayMs + Math.floor(((index * 7919) % count) * ((364 * dayMs) / count));
    const url = `${base}/@${username}`;
    const isActive = domain === null && active < maxActive && (index < 20 || random.chance(0.1));
    if (isActive) active += 1;
    const acct = domain === null ? username : `${username}@${domain}`;
    const named = formatText(`@${acct}`, {
      mentions: new Map([[acct, { url, username, acct }]]),
      hashtagUrl: () => '',
    });
    people.push({
      id: ((BigInt(createdAt) << 16n) | BigInt(index & 0xffff)).toString(),
      username,
      domain,
      displayName: `${given} ${bird}`,
      uri: `${base}/users/${username}`,
      url,
      createdAt,
      active: isActive,
      mention: {
        text: `@${acct} `,
        content: `${escapeCopyText(named.replace(/^<p>|<\/p>$/g, ''))} `,
        textTerms: wordTerms(splitWords(acct)),
        contentTerms: wordTerms(splitWords(username)),
      },
    });
  }
  return people;
}

export const accountBuffer = (): CopyBuffer =>
  new CopyBuffer(
    'accounts',
    'id username domain uri url actor_type display_name note locked discoverable indexable hide_collections inbox_url shared_inbox_url outbox_url followers_url following_url featured_url created_at updated_at fetched_at'.split(
      ' ',
    ),
  );

export function accountRow(random: Random, person: Person, now: Date): string {
  const { domain, uri } = person;
  const note = random.pick(profileNotes);
  const remote = (path: string): string => (domain === null ? copyNull : `${uri}/${path}`);
  return [
    person.id,
    person.username,
    domain ?? copyNull,
    uri,
    person.url,
    random.chance(0.03) ? 'Service' : 'Person',
    escapeCopyText(person.displayName),
    escapeCopyText(domain === null || note === '' ? note : `<p>${htmlToText(note)}</p>`),
    random.chance(0.05),
    random.chance(0.7),
    random.chance(0.5),
    'f',
    remote('inbox'),
    domain === null ? copyNull : `https://${domain}/inbox`,
    remote('outbox'),
    remote('followers'),
    remote('following'),
    remote('collections/featured'),
    new Date(person.createdAt).toISOString(),
    now.toISOString(),
    domain === null ? copyNull : now.toISOString(),
  ].join('\t');
}

/** Placeholder for a password hash; no password matches it. */
export const unusablePasswordHash = '!';

export const userBuffer = (): CopyBuffer =>
  new CopyBuffer(
    'users',
    'id account_id email password_hash confirmed_at approved last_active_at created_at updated_at'.split(' '),
  );

/** Builds the row of a local user. Nobody can sign in with it: create tokens with `fieldfare token create`. */
export function userRow(random: Random, person: Person, now: Date): string {
  const created = new Date(person.createdAt).toISOString();
  const idle = person.active ? random.below(6 * dayMs) : 40 * dayMs + random.below(300 * dayMs);
  return [
    person.id,
    person.id,
    `${person.username}@demo.invalid`,
    unusablePasswordHash,
    created,
    't',
    new Date(now.getTime() - idle).toISOString(),
    created,
    created,
  ].join('\t');
}
