import { expect, it } from "@effect/vitest"
import { type Notice, Notifier } from "@parley/core"
import { Effect, Either, Logger } from "effect"
import type { ParleyOptions } from "../src/index.js"
import { portsOf } from "../src/portsOf.js"
import { readOptions } from "../src/readOptions.js"
import { quiet } from "./shop.js"

const notice: Notice = {
  id: "n",
  workspaceId: "w",
  kind: "webhook_endpoint.disabled",
  subjectId: "e",
  message: "An endpoint was disabled."
}

const tell = (notifier: ParleyOptions["notifier"]) => {
  const options = { ...quiet, notifier }
  return Effect.flatMap(Notifier, ({ notify: tell }) => tell(notice)).pipe(
    Effect.provide(portsOf(Either.getOrThrow(readOptions(options)), options, undefined))
  )
}

it.live("a notifier receives notifications to administrators", () =>
  Effect.gen(function* () {
    const reported: Array<Notice> = []
    yield* tell((given) => void reported.push(given))
    expect(reported).toEqual([notice])
  })
)

it.live("a failing notifier stops nothing, and its error is logged", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => void lines.push(message))
    yield* tell(() => Promise.reject(new Error("the chat is down"))).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    expect(lines).toEqual([["The notifier failed.", new Error("the chat is down")]])
  })
)
