import { Layer, Logger } from "effect"
import { jsonLogger } from "parley/host"
import type { Settings } from "./Settings.js"

/** The logger, by log format and log level. */
export const layer = ({ logFormat, logLevel }: Pick<Settings, "logFormat" | "logLevel">): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormat === "json" ? Logger.withConsoleLog(jsonLogger) : pretty),
    Logger.minimumLogLevel(logLevel)
  )

const pretty = Logger.prettyLogger({ colors: "auto" })
