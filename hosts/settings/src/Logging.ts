import { Cause, Layer, List, Logger } from "effect"
import type { Settings } from "./Settings.js"

/** Where the lines go, and how they look. */
export const layer = ({ logFormat, logLevel }: Pick<Settings, "logFormat" | "logLevel">): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormat === "json" ? Logger.withConsoleLog(jsonLogger) : pretty),
    Logger.minimumLogLevel(logLevel)
  )

const pretty = Logger.prettyLogger({ colors: "auto" })

/**
 * One JSON object a line: `time`, `level`, `message`, then what the line is about (`request_id`, `message_id`, …), and
 * `error` where there is one. What the line is about cannot take the place of the former.
 */
export const jsonLogger: Logger.Logger<unknown, string> = Logger.make(
  ({ annotations, cause, date, logLevel, message, spans }) => {
    const parts = Array.isArray(message) ? message : [message]
    const errors = [...parts.filter(isError), ...(Cause.isEmpty(cause) ? [] : [cause])]
    const fields = parts.filter(isFields)
    const words = parts.filter((part) => !isError(part) && !isFields(part))
    return JSON.stringify({
      ...Object.fromEntries(annotations),
      ...Object.fromEntries(List.toArray(spans).map((span) => [`${span.label}_ms`, date.getTime() - span.startTime])),
      ...Object.assign({}, ...fields),
      time: date.toISOString(),
      level: logLevel.label.toLowerCase(),
      message: words.map(String).join(" "),
      ...(errors.length === 0 ? {} : { error: errors.map(textOf).join("\n") })
    })
  }
)

const isError = (part: unknown): part is Error | Cause.Cause<unknown> => part instanceof Error || Cause.isCause(part)

const isFields = (part: unknown): part is object =>
  typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype

const textOf = (error: Error | Cause.Cause<unknown>): string =>
  Cause.isCause(error) ? Cause.pretty(error, { renderErrorCause: true }) : (error.stack ?? error.message)
