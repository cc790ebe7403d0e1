-- A post that is streamed to many viewers looks for those who muted its conversation.
create index conversation_mutes_conversation on conversation_mutes (conversation_id);
