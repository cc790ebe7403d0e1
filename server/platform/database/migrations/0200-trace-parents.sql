-- expand
-- The span that caused stored work, as the header traceparent of W3C Trace Context. Null unless traces are recorded.
alter table jobs add column trace_parent text;
alter table activities add column trace_parent text;
alter table inbox_activities add column trace_parent text;
