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
 * An error may come from a handler of the caller: causes in a circle, a stack that is no text. A throw here would fail
 * what logs.
 */
const textOf = (error: Error | Cause.Cause<unknown>): string => {
  try {
    return Cause.isCause(error) ? prettyCause(error) : String(error.stack ?? error.message)
  } catch {
    return "An error that cannot be printed: its name, message or stack is not a text."
  }
}

const prettyCause = (cause: Cause.Cause<unknown>): string => {
  try {
    return Cause.pretty(cause, { renderErrorCause: true })
  } catch {
    return `${Cause.pretty(cause)}\n[its causes cannot be printed, such as those in a circle]`
  }
}
