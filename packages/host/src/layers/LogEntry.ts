import { Cause, List, Logger } from "effect"

/** In rising order of severity. */
export type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "fatal"

/** One log entry. */
export interface LogEntry {
  readonly time: Date
  readonly level: LogLevelName
  readonly message: string
  /** Annotations: `request_id`, `message_id`, … */
  readonly fields: { readonly [name: string]: unknown }
  /** Errors with stack traces and causes; null if none. */
  readonly error: string | null
}

/** Converts Effect's log output to entries. */
export const logEntry: Logger.Logger<unknown, LogEntry> = Logger.make(
  ({ annotations, cause, date, logLevel, message, spans }) => {
    const parts = Array.isArray(message) ? message : [message]
    const errors = [...parts.filter(isError), ...(Cause.isEmpty(cause) ? [] : [cause])]
    const text = parts.filter((part) => !isError(part) && !isFields(part))
    return {
      time: date,
      level: logLevel.label.toLowerCase() as LogLevelName,
      message: text.map(String).join(" "),
      fields: {
        ...Object.fromEntries(annotations),
        ...Object.fromEntries(List.toArray(spans).map((span) => [`${span.label}_ms`, date.getTime() - span.startTime])),
        ...Object.assign({}, ...parts.filter(isFields))
      },
      error: errors.length === 0 ? null : errors.map(textOf).join("\n")
    }
  }
)

const isError = (part: unknown): part is Error | Cause.Cause<unknown> => part instanceof Error || Cause.isCause(part)

const isFields = (part: unknown): part is object =>
  typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype

/**
 * An error may come from a function of the caller: its causes may form a circle, its stack may be no text. A throw here
 * would fail what logs.
 */
const textOf = (error: unknown): string => {
  try {
    if (Cause.isCause(error)) return Cause.pretty(error, { renderErrorCause: true })
    return error instanceof Error ? String(error.stack ?? error.message) : String(error)
  } catch {
    return Cause.isCause(error) ? textOf(Cause.squash(error)) : "An error whose name, message or stack is no text."
  }
}
