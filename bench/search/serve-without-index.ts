// Serves as `npm start` does, without the reactions that keep the search index, to compare what posting costs.
import { subscriptions } from '../../server/search/index.ts';

(subscriptions as unknown[]).length = 0;
await import('../../server/main.ts');
