import { Logger } from "effect"
import { logEntry } from "./LogEntry.js"

/**
 * Logs one JSON object per line: `time`, `level`, `message`, the annotations (`request_id`, `message_id`, …) and
 * `error` if present. Annotations cannot overwrite the other fields.
 */
export const jsonLogger: Logger.Logger<unknown, string> = Logger.map(
  logEntry,
  ({ error, fields, level, message, time }) =>
    JSON.stringify({ ...fields, time: time.toISOString(), level, message, ...(error === null ? {} : { error }) })
)
