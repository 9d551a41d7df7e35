import { describe, expect, it } from "@effect/vitest"
import { Notifier } from "@parley/core"
import { Effect, HashMap, Logger } from "effect"
import * as LogNotifier from "../src/LogNotifier.js"

describe("LogNotifier", () => {
  it.effect("logs a notification as a warning with all its fields", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message, logLevel, annotations }) => {
        lines.push([logLevel.label, message, Object.fromEntries(HashMap.toEntries(annotations))])
      })
      const notice = {
        id: "n",
        workspaceId: "w",
        kind: "webhook_endpoint.disabled",
        subjectId: "e",
        message: "It was disabled."
      }
      yield* Effect.flatMap(Notifier, ({ notify: tell }) => tell(notice)).pipe(
        Effect.provide(LogNotifier.layer),
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      const { id: _, message, ...rest } = notice
      expect(lines).toEqual([["WARN", [message], rest]])
    })
  )
})
