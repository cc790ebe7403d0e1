// Private conversations in a list.
export { ConversationList } from './conversation-list.tsx';
