import { bigint, defaulted, instant, integerArray, text } from './columns.ts'

export const callAllowanceTables = {
  /** Calls to outside services, counted for all processes together. */
  call_allowances: {
    service: text,
    /** Identifies the key or account that the allowance belongs to. */
    fingerprint: text,
    /** Milliseconds since 1970: when the calls of the same place in `calls` are made at the latest. */
    slots: defaulted(integerArray),
    calls: defaulted(integerArray),
    /** Milliseconds since 1970; the vendor refuses every call before. */
    paused_until: defaulted(bigint),
    updated_at: defaulted(instant),
  },
}
