import type { AnyCache } from '../platform/write/subscriptions.ts';
import { activityCache } from './activity.ts';
import { blocksCache } from './domain-blocks.ts';
import { campaignCache, failureCache } from './donation-campaigns.ts';
import { imagesCache } from './images/site-images.ts';
import { statsCache } from './instance-stats.ts';
import { peersCache } from './peers.ts';
import { textsCache } from './present-instance.ts';

export const caches: readonly AnyCache[] = [
  activityCache,
  blocksCache,
  campaignCache,
  failureCache,
  imagesCache,
  statsCache,
  peersCache,
  textsCache,
];
