import { hostname } from "node:os"
import { Logger } from "effect"
import { logEntry } from "./LogEntry.js"

const processFields = { host: hostname(), pid: process.pid }

/**
 * Logs one JSON object per line: `time`, `level`, `message`, `host`, `pid`, the annotations (`request_id`,
 * `message_id`, `job_id`, …) and `error` if present. Annotations cannot overwrite the other fields.
 */
export const jsonLogger: Logger.Logger<unknown, string> = Logger.map(
  logEntry,
  ({ error, fields, level, message, time }) =>
    JSON.stringify({
      ...fields,
      ...processFields,
      time: time.toISOString(),
      level,
      message,
      ...(error === null ? {} : { error })
    })
)
