import { Cause, List, Logger } from "effect"

/** From most to least said; `fatal` is only ever said, and `none` only ever asked for. */
export type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "fatal"

/** One thing that the log says. */
export interface LogEntry {
  readonly time: Date
  readonly level: LogLevelName
  readonly message: string
  /** What it is about: `request_id`, `message_id`, … */
  readonly fields: { readonly [name: string]: unknown }
  /** With its stack and its causes; null where nothing went wrong. */
  readonly error: string | null
}

/** What Effect logs, as entries. */
export const logEntry: Logger.Logger<unknown, LogEntry> = Logger.make(
  ({ annotations, cause, date, logLevel, message, spans }) => {
    const parts = Array.isArray(message) ? message : [message]
    const errors = [...parts.filter(isError), ...(Cause.isEmpty(cause) ? [] : [cause])]
    const words = parts.filter((part) => !isError(part) && !isFields(part))
    return {
      time: date,
      level: logLevel.label.toLowerCase() as LogLevelName,
      message: words.map(String).join(" "),
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

const textOf = (error: Error | Cause.Cause<unknown>): string =>
  Cause.isCause(error) ? Cause.pretty(error, { renderErrorCause: true }) : (error.stack ?? error.message)
