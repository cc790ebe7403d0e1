import { sql } from 'kysely';
import { schedules, workers } from '../../server/app.ts';
import type { App } from '../../server/platform/app.ts';
import type { ManualClock } from '../../server/platform/clock.ts';
import { HttpError } from '../../server/platform/http/http-errors.ts';
import type { AccountId, StatusId } from '../../server/platform/ids.ts';
import { deleteStatus, postStatus } from '../../server/statuses/post/index.ts';
import { favouriteStatus, reblogStatus, unfavouriteStatus } from '../../server/statuses/react/index.ts';
import { storeRemoteStatus, updateRemoteStatus, type RemoteStatus } from '../../server/statuses/remote/index.ts';
import { touchStreamedFeed } from '../../server/timelines/index.ts';
import { Random } from '../demo/random.ts';

interface Member {
  readonly id: AccountId;
  readonly uri: string;
  readonly isLocal: boolean;
}

interface Post {
  readonly id: StatusId;
  /** Undefined: a local post. */
  readonly remote: RemoteStatus | undefined;
}

const secondsPerDay = 86_400;
/** Posts that people still react to. */
const recentPosts = 500;
const favouritesPerPost = 3;
/** Schedules that delete or count. */
const dailySchedules = /clean_up|trim|retention|delete|expire|count_today|refresh_popularity/u;
/** Posts between two turns of the workers. */
const postsPerDrain = 50;

/** What people of the demo data and their servers do, by a clock that it advances. */
export class Month {
  readonly #app: App;
  readonly #members: readonly Member[];
  readonly #readers: readonly AccountId[];
  readonly #postsPerDay: number;
  readonly #random = new Random(7);
  readonly #recent: Post[] = [];
  posts = 0;

  private constructor(app: App, members: readonly Member[], readers: readonly AccountId[], postsPerDay: number) {
    this.#app = app;
    this.#members = members;
    this.#readers = readers;
    this.#postsPerDay = postsPerDay;
  }

  /** `active`: usernames of those who read home each day. */
  static async begin(
    app: App,
    { active, postsPerDay }: { readonly active: readonly string[]; readonly postsPerDay: number },
  ): Promise<Month> {
    const { rows } = await sql<Member & { username: string }>`
      select id, uri, domain is null as "isLocal", username from accounts
      where deleted_at is null and actor_type = 'Person' order by id`.execute(app.db);
    const readers = rows.filter(({ isLocal, username }) => isLocal && active.includes(username)).map(({ id }) => id);
    return new Month(app, rows, readers, postsPerDay);
  }

  async runDay(): Promise<void> {
    const clock = this.#app.clock as ManualClock;
    for (const id of this.#readers) await touchStreamedFeed(this.#app, { kind: 'home', id });
    for (let count = 1; count <= this.#postsPerDay; count += 1) {
      clock.advance(secondsPerDay / this.#postsPerDay);
      await this.#post();
      await this.#react();
      if (count % postsPerDrain === 0) await this.#drain();
    }
    for (const { name, run } of schedules) if (dailySchedules.test(name)) await run(this.#app);
    await this.#drain();
  }

  async #post(): Promise<void> {
    this.posts += 1;
    const author = this.#random.pick(this.#members);
    const parent = this.#recent.length > 0 && this.#random.chance(0.3) ? this.#random.pick(this.#recent) : undefined;
    const text = `Post ${this.posts} about #birds and herons, ${'words '.repeat(this.#random.below(40))}`;
    await this.#attempt(async () => {
      if (author.isLocal) {
        const id = await postStatus(this.#app, author.id, { text, inReplyToId: parent?.id });
        this.#recent.push({ id, remote: undefined });
      } else {
        const remote: RemoteStatus = {
          uri: `${author.uri}/statuses/churn-${this.posts}`,
          accountId: author.id,
          content: `<p>${text}</p>`,
          visibility: 'public',
          publishedAt: this.#app.clock.now(),
          tags: ['birds'],
          inReplyToId: parent?.id,
        };
        const id = await storeRemoteStatus(this.#app, remote);
        if (id !== undefined) this.#recent.push({ id, remote });
      }
    });
    if (this.#recent.length > recentPosts) this.#recent.shift();
  }

  async #react(): Promise<void> {
    if (this.#recent.length === 0) return;
    const pick = (): Post => this.#random.pick(this.#recent);
    const chance = (share: number): boolean => this.#random.chance(share);
    const someone = (): AccountId => this.#random.pick(this.#members).id;
    for (let count = 0; count < favouritesPerPost; count += 1) {
      const [accountId, { id }] = [someone(), pick()];
      await this.#attempt(() => favouriteStatus(this.#app, accountId, id));
      if (chance(0.1)) await this.#attempt(() => unfavouriteStatus(this.#app, accountId, id));
    }
    if (chance(0.3)) await this.#attempt(() => reblogStatus(this.#app, someone(), pick().id));
    if (chance(0.05)) await this.#edit(pick());
    if (chance(0.05)) await this.#delete();
  }

  async #edit({ remote }: Post): Promise<void> {
    if (remote === undefined) return;
    const content = `${remote.content ?? ''}<p>Edited ${this.posts}</p>`;
    await this.#attempt(() => updateRemoteStatus(this.#app, { ...remote, content, updatedAt: this.#app.clock.now() }));
  }

  async #delete(): Promise<void> {
    const [post] = this.#recent.splice(this.#random.below(this.#recent.length), 1);
    if (post !== undefined) await this.#attempt(() => deleteStatus(this.#app, post.id));
  }

  /** What the server refuses, such as a reply to an account that blocks the author, does not happen. */
  async #attempt(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
    }
  }

  async #drain(): Promise<void> {
    for (let ran = 1; ran > 0;) {
      ran = 0;
      for (const worker of workers) ran += await worker.run(this.#app);
    }
  }
}
