import { Logger } from "effect"
import { logEntry } from "./LogEntry.js"

/**
 * One JSON object a line: `time`, `level`, `message`, then what the line is about (`request_id`, `message_id`, …), and
 * `error` where there is one. What the line is about cannot take the place of the former.
 */
export const jsonLogger: Logger.Logger<unknown, string> = Logger.map(
  logEntry,
  ({ error, fields, level, message, time }) =>
    JSON.stringify({ ...fields, time: time.toISOString(), level, message, ...(error === null ? {} : { error }) })
)
