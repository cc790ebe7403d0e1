// Which hashtags a viewer may know.
export { ownTagIds, tagHasPublicPost } from './tag-visibility.ts';
