import type { WriteStream } from "node:tty"
import { jsonLogger } from "@parley/host/layers"
import { Cause, HashMap, Layer, Logger } from "effect"
import type { Settings } from "./Settings.js"

/** The logger, by log format and log level. */
export const layer = (
  { logFormat, logLevel }: Pick<Settings, "logFormat" | "logLevel">,
  stdout: Pick<WriteStream, "hasColors" | "isTTY"> = process.stdout
): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      // Node says that a terminal has no colours if `NO_COLOR` is set.
      logFormat === "json" ? Logger.withConsoleLog(jsonLogger) : pretty(stdout.isTTY && stdout.hasColors())
    ),
    Logger.minimumLogLevel(logLevel)
  )

/**
 * Escapes control characters: texts of customers and vendors must not move the terminal's cursor, nor begin lines that
 * look like entries. The lines of a cause stay; they are indented.
 */
const pretty = (colors: boolean) =>
  Logger.mapInputOptions(Logger.prettyLogger({ colors }), (options: Logger.Logger.Options<unknown>) => ({
    ...options,
    message: [
      ...[options.message].flat().map(escaped),
      ...(Cause.isEmpty(options.cause) ? [] : [escapedLines(Cause.pretty(options.cause))])
    ],
    cause: Cause.empty,
    annotations: HashMap.map(options.annotations, escaped)
  }))

/** The console escapes texts inside other objects itself. */
const escaped = (value: unknown): unknown => {
  if (value instanceof Error) return escapedLines(value.stack ?? String(value))
  return typeof value === "string" ? escapedText(value) : value
}

const escapedLines = (text: string): string => text.split("\n").map(escapedText).join("\n")

const escapedText = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`)
