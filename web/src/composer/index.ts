// The composer, which is loaded when it is opened, and news of published posts.
export { ComposerPrompt, loadComposer } from './composer-prompt.tsx';
export { openComposerInstead, openDescription, reopenComposer, setShownComposer } from './open-composer.tsx';
export { announcePublished, onPublished } from './published.ts';
