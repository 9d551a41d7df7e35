import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, TestClock } from "effect"
import { turnsPerHour } from "../../../src/flows/bots/takeBotTurnToken.js"
import { hour } from "../../../src/model/Instant.js"
import { botsWorld, newBotTenant, notifications, seen, work, write } from "./botsWorld.js"
import { aScript, ask, finish } from "./scripts.js"

/** A customer who repeats their message after each answer, like a bot that answers every message. */
const echoes = (tenant: Parameters<typeof write>[0], from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: to - from }, (_, n) => from + n),
    (n) => Effect.zipRight(write(tenant, String(n), "demo"), work(tenant)),
    { discard: true }
  )

for (const [name, opened] of databases) {
  layer(botsWorld(opened), { timeout: 120_000 })(`the limit of bot turns on ${name}`, (it) => {
    it.effect(
      "starts no further session within the hour and notifies the administrators once",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newBotTenant(aScript([finish("end", "demo")]))
          yield* echoes(tenant, 0, turnsPerHour + 3)
          const { jobs, said, sessions } = yield* seen(tenant)
          expect(sessions).toHaveLength(turnsPerHour)
          expect(said).toHaveLength(turnsPerHour)
          expect(jobs).toEqual([])
          expect(yield* notifications(tenant)).toMatchObject([
            { kind: "bot.turns_limited", subjectId: tenant.bot.id, applicationId: null }
          ])
          yield* TestClock.adjust(hour)
          yield* echoes(tenant, turnsPerHour + 3, turnsPerHour + 4)
          expect((yield* seen(tenant)).sessions).toHaveLength(turnsPerHour + 1)
        }),
      120_000
    )

    it.effect(
      "hands off an active session without a text",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newBotTenant(aScript([ask("again", "Again?", { goTo: "again" })]))
          yield* echoes(tenant, 0, turnsPerHour + 3)
          const { said, sessions } = yield* seen(tenant)
          expect(said).toHaveLength(turnsPerHour)
          const reason = "The limit of bot turns in the conversation was reached."
          expect(sessions).toMatchObject([{ status: "handed_off", reason }])
          expect(yield* notifications(tenant)).toMatchObject([{ kind: "bot.turns_limited" }])
        }),
      120_000
    )
  })
}
