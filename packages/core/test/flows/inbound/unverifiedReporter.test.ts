import { expect, it } from "@effect/vitest"
import { Duration, Effect, Logger, TestClock } from "effect"
import { unverifiedReporter } from "../../../src/flows/inbound/unverifiedReporter.js"
import { hour } from "../../../src/model/Instant.js"

it.effect("requests that are not verified are logged once an hour for each connection, with what to do", () =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void logged.push(`${logLevel.label} ${message}`))
    const report = unverifiedReporter()
    yield* Effect.gen(function* () {
      for (const id of ["one", "one", "two", "one"]) yield* report({ id }, "signature")
      expect(logged.map((line) => /connection (one|two) /.exec(line)?.[1])).toEqual(["one", "two"])
      expect(logged[0]).toMatch(/^WARN .*parley connection update one/)
      yield* TestClock.adjust(Duration.millis(hour - 1))
      yield* report({ id: "one" }, "signature")
      expect(logged).toHaveLength(2)
      yield* TestClock.adjust(1)
      for (const _ of [1, 2]) yield* report({ id: "one" }, "signature")
      expect(logged).toHaveLength(3)
      for (const _ of [1, 2]) yield* report({ id: "one" }, "challenge")
      expect(logged).toHaveLength(4)
      expect(logged[3]).toMatch(/refused with 403.* verify_token/)
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })
)
