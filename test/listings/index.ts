import type { TestServer, TestUser } from '../server.ts';
import { blockListings } from '../staff/block-listings.ts';
import { moderationRuleListings } from '../staff/moderation-rule-listings.ts';
import { reportListings } from '../staff/report-listings.ts';
import { serverListings, severanceListings } from '../staff/server-listings.ts';
import { siteListings } from '../staff/site-listings.ts';
import { accountListings } from './account-listings.ts';
import { collectionListings } from './collection-listings.ts';
import { groupListings } from './group-listings.ts';
import { inboxListings, requestListings } from './inbox-listings.ts';
import type { Listing } from './listing.ts';
import { reactionListings } from './reaction-listings.ts';
import { relationListings } from './relation-listings.ts';
import { savedListings } from './saved-listings.ts';
import { staffListings } from './staff-listings.ts';
import { timelineListings } from './timeline-listings.ts';
import { webhookListings } from './webhook-listings.ts';

export type { Listing } from './listing.ts';

type ListingFactory = (server: TestServer, crowd: readonly TestUser[]) => Promise<Listing[]>;

/** Creates every listing that is paged by ids. Each has its own users, so that they do not affect each other. */
export async function createListings(server: TestServer, crowd: readonly TestUser[]): Promise<Listing[]> {
  const factories: ListingFactory[] = [
    timelineListings,
    reactionListings,
    savedListings,
    inboxListings,
    requestListings,
    staffListings,
    blockListings,
    moderationRuleListings,
    reportListings,
    accountListings,
    relationListings,
    severanceListings,
    serverListings,
    siteListings,
    collectionListings,
    groupListings,
    webhookListings,
  ];
  const listings: Listing[] = [];
  for (const create of factories) listings.push(...(await create(server, crowd)));
  return listings;
}
