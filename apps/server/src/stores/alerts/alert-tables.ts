import {
  boolean,
  bytes,
  defaulted,
  instant,
  integer,
  integerArray,
  json,
  nullable,
  text,
  textArray,
} from '../columns.ts'

export const alertTables = {
  alert_channels: {
    id: defaulted(integer),
    user_id: integer,
    kind: text,
    name: text,
    /** Where it leads, as far as that is no secret. */
    target: text,
    /** The fields of its form, as JSON. */
    sealed_values: bytes,
    is_enabled: boolean,
    /** `22:00`, by the clock of the time zone; all three or none. */
    quiet_from: nullable(text),
    quiet_to: nullable(text),
    time_zone: nullable(text),
    /** The outgoing events that it is told of, beside alerts. */
    events: defaulted(textArray),
    /** It is told of alerts that were not acknowledged for so long. */
    escalation_minutes: defaulted(integer),
    created_at: instant,
  },
  /** What users were told or are to be told, one row for each cause. */
  alerts: {
    id: defaulted(integer),
    user_id: integer,
    kind: text,
    /** A user has one open alert for each kind and cause. */
    cause: text,
    /** By the id of the deployment. */
    members: json<unknown>(),
    opened_at: instant,
    told: defaulted(integer),
    tell_at: nullable(instant),
    told_channels: defaulted(integerArray),
    acknowledged_at: nullable(instant),
    acknowledged_by: nullable(text),
    ended_at: nullable(instant),
  },
  alert_settings: {
    user_id: integer,
    /** By event; what is missing has its default. */
    levels: defaulted(json<unknown>()),
    sealed_heartbeat: nullable(bytes),
    heartbeat_minutes: defaulted(integer),
    heartbeat_due_at: nullable(instant),
    heartbeat_at: nullable(instant),
    /** Why it was not called or not answered the last time. */
    heartbeat_problem: nullable(text),
  },
}
