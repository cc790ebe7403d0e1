// Parts of a profile that others show.
export { FamiliarFollowersOf } from './familiar-followers.tsx';
export { ProfileBadges } from './profile-badges.tsx';
export { ProfileBio } from './profile-bio.tsx';
export { ProfileCounts } from './profile-counts.tsx';
